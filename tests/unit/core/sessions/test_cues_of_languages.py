"""Cues in other languages than English: the same kinds are found, and the same words are left alone."""

import pytest

from shared.core.sessions.cue_rules import CueKind
from shared.core.sessions.cues import find_cues
from shared.core.sessions.languages import find_language
from shared.languages.language_file import read_heads

CORRECTION, SAVE, DECISION, PREFERENCE = CueKind.CORRECTION, CueKind.SAVE, CueKind.DECISION, CueKind.PREFERENCE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Nein, der Dienst heißt ledger.", CORRECTION),
        ("Das Archiv liegt nicht auf web-01, sondern auf db-02.", CORRECTION),
        ("Merk dir bitte, dass das Budget im April endet.", SAVE),
        ("Wir haben uns auf zwei Reviews geeinigt.", DECISION),
        ("Schreib Commit-Nachrichten immer auf Englisch.", PREFERENCE),
        ("Non, le service s'appelle ledger.", CORRECTION),
        ("À partir de maintenant, réponds en français.", PREFERENCE),
        ("Nous avons décidé de garder MySQL.", DECISION),
        ("Je préfère des fonctions courtes.", PREFERENCE),
        ("No. Las facturas salen el día 3.", CORRECTION),
        ("Recuerda que el presupuesto termina en abril.", SAVE),
        ("Hemos decidido quedarnos con MySQL.", DECISION),
        ("Ejecuta siempre las pruebas antes de subir nada.", PREFERENCE),
        ("Isso não está certo, o serviço se chama ledger.", CORRECTION),
        ("Lembre-se de que o orçamento termina em abril.", SAVE),
        ("Decidimos manter o MySQL.", DECISION),
        ("Nunca faça push direto na main.", PREFERENCE),
        ("No, il servizio si chiama ledger.", CORRECTION),
        ("Ti confondi, il porto è a nord.", CORRECTION),
        ("Ricordati che il budget finisce ad aprile.", SAVE),
        ("Segnati che la chiave del pontile è dal capitano.", SAVE),
        ("Abbiamo deciso di tenere MySQL.", DECISION),
        ("D'ora in poi rispondi in italiano.", PREFERENCE),
        ("Preferisco le funzioni corte.", PREFERENCE),
        ("Nee, de dienst heet ledger.", CORRECTION),
        ("Je vergist je, de haven ligt in het noorden.", CORRECTION),
        ("Onthoud dat het budget in april afloopt.", SAVE),
        ("We hebben besloten bij MySQL te blijven.", DECISION),
        ("Schrijf commitberichten voortaan in het Engels.", PREFERENCE),
        ("Ik heb liever korte functies.", PREFERENCE),
        ("不对，服务叫ledger。", CORRECTION),  # noqa: RUF001 - as it is written
        ("请记住预算四月结束。", SAVE),
        ("我们决定继续用MySQL。", DECISION),
        ("我更喜欢短小的函数。", PREFERENCE),
        ("いや、サービス名はledgerです。", CORRECTION),
        ("予算は4月に終わることを覚えておいてください。", SAVE),
        ("MySQLを使い続けることにしました。", DECISION),
        ("コミットの前に必ずテストを実行してください。", PREFERENCE),
        ("Du irrst dich, der Hafen liegt im Norden.", CORRECTION),
        ("Die Regatta findet im Juni statt, das ist fix.", DECISION),
        ("Ich esse keinen Fisch.", PREFERENCE),
        ("Gut, dann machen wir das so: Anker lichten um acht.", DECISION),
        ("Tu confonds, le port est au nord.", CORRECTION),
        ("Finalement on garde le vieux bateau.", DECISION),
        ("Tutoie-moi, s'il te plaît.", PREFERENCE),
        ("Te confundes, el puerto está al norte.", CORRECTION),
        ("Quedamos en que el barco sale los lunes.", DECISION),
        ("Soy vegana, así que sin queso.", SAVE),
        ("Me enganei, o porto é outro.", CORRECTION),
        ("Batemos o martelo: o barco sai na segunda.", DECISION),
        ("Sou vegetariana.", SAVE),
        ("你记错了，港口在北边。", CORRECTION),  # noqa: RUF001 - as it is written
        ("就这么定了，周一出海。", DECISION),  # noqa: RUF001 - as it is written
        ("我不吃海鲜。", PREFERENCE),
        ("結局、船は月曜日の便にします。", DECISION),
        ("かにアレルギーです。", SAVE),
        ("Für später: Der Bootsschlüssel hängt hinter der Kombüse.", SAVE),
        ("Schreib dir auf, dass der Liegeplatz bis Mai bezahlt ist.", SAVE),
        ("Pour plus tard : la clé du ponton est chez le capitaine.", SAVE),
        ("Acuérdate de que el ancla de repuesto está en popa.", SAVE),
        ("Guarda aí que o número da boia termina em 82.", SAVE),
        ("把这个存下来。码头的钥匙在蓝色盒子里。", SAVE),
        ("控えておいて、桟橋の鍵は青い箱です。", SAVE),
    ],
)
def test_a_correction_a_save_a_decision_and_a_preference_are_found_in_each_language(text: str, kind: CueKind) -> None:
    assert kind in {cue.kind for cue in find_cues(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Kannst du die Funktion umbenennen?",
        "Der Login funktioniert nicht mehr.",
        "Im Review steht: hier nie globale Variablen benutzen.",
        "Noch nicht committen, ich will es erst ansehen.",
        "Ich weiß nicht mehr, was wir vereinbart haben.",
        "Meine Tante sagt immer, man soll früh segeln.",
        "Avertissement : ne jamais ouvrir la vanne.",
        "Ma tante dit toujours qu'il faut partir tôt.",
        "No, gracias.",
        "Aviso: nunca abra la válvula.",
        "Não lembro o que decidimos.",
        "Traduza: o barco nunca sai na segunda.",
        "Mia zia dice sempre che bisogna partire presto.",
        "Non ricordo che cosa avevamo deciso.",
        "Puoi rinominare la funzione?",
        "Aspetta, non ancora.",
        "Mijn tante zegt altijd dat je vroeg moet vertrekken.",
        "Ik weet niet meer wat we hadden afgesproken.",
        "Kun je de functie hernoemen?",
        "Nog niet committen, ik wil eerst kijken.",
        "警告：绝对不要打开阀门。",  # noqa: RUF001 - as it is written
        "警告：弁を絶対に開けないでください。",  # noqa: RUF001 - as it is written
        "Sie sagte „wir haben uns immer für die alte Lösung entschieden“ im Vortrag.",
        "Ajoute un bouton d'export sur la page.",
        "D'après la doc, il faut toujours fermer la connexion.",
        "¿Siempre usamos la misma clave?",
        "No funciona.",
        "Preciso de uma lista dos tickets abertos.",
        "我们一直用同一个密钥吗？",  # noqa: RUF001 - as it is written
        "先不要提交，我想看看",  # noqa: RUF001 - as it is written
        "この関数の名前を変えてもらえますか？",  # noqa: RUF001 - as it is written
        "ページにエクスポートボタンを追加して",
    ],
)
def test_requests_questions_quotations_and_trouble_are_no_cue_in_any_language(text: str) -> None:
    assert find_cues(text) == ()


def test_a_text_is_of_the_language_of_its_small_words() -> None:
    said = {
        "en": "we keep it in the repository",
        "de": "wir legen das in die Ablage",
        "fr": "nous gardons les sources dans le dépôt",
        "es": "lo guardamos en el repositorio",
        "pt": "não guardamos isso no repositório",
        "it": "questo lo teniamo nel repository",
        "nl": "dat bewaren we niet in de repository",
        "zh": "把deploy脚本放到仓库里",
        "ja": "リポジトリにdeployスクリプトを置く",
    }
    assert {code: find_language(text).code for code, text in said.items()} == {code: code for code in said}
    assert find_language("4711").code == "en"
    assert said.keys() == read_heads().keys()


@pytest.mark.parametrize(
    "unit",
    ["nicht ", "tu ne ", "no es a, ", "não a ", "non a ", "niet ", "不是", "ではなく", "always ", "it's not ", "wir "],
)
def test_a_long_line_in_any_language_is_no_more_work_than_its_length(unit: str) -> None:
    """Would run for hours with nested quantifiers; the test's time limit is the only clock."""
    assert len(find_cues(unit * (20_000 // len(unit)))) <= 50
