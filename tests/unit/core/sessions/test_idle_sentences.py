"""Sentences with the words of a cue that hold nothing to keep, in each language; and the kind of a lasting wish and of a fact."""

import pytest

from shared.core.sessions.cue_rules import CueKind
from shared.core.sessions.cues import find_cues

CORRECTION, SAVE, DECISION, PREFERENCE = CueKind.CORRECTION, CueKind.SAVE, CueKind.DECISION, CueKind.PREFERENCE


def _kinds(text: str) -> set[CueKind]:
    return {cue.kind for cue in find_cues(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Our sailmaker swears by hemp and reckons that nylon never lasts.",
        "Old Piet always said never to sail on a Friday.",
        "Unser Segelmacher schwört auf Hanf und nie auf Nylon.",
        "Notre voilier jure qu'il ne faut jamais partir un vendredi.",
        "Mi suegro está convencido de que nunca hay que salir en viernes.",
        "Meu sogro jura que nunca se sai na sexta.",
        "我邻居坚持说永远不要周五出海",
        "叔父は金曜には絶対に出航するべきではないと信じています",
    ],
)
def test_what_others_believe_is_not_the_authors(text: str) -> None:
    assert _kinds(text) == set()


def test_what_others_believe_is_kept_when_it_is_to_be_remembered() -> None:
    assert SAVE in _kinds("Remember that my aunt believes in herbs and takes no pills.")


@pytest.mark.parametrize(
    "text",
    [
        "What if we always moored at pier 9?",
        "Suppose we had decided to sell the boat.",
        "Angenommen, wir hätten uns für den Kutter entschieden.",
        "Imagine que j'habite sur un bateau.",
        "Supongamos que hemos decidido vender el barco.",
        "Suponha que decidimos vender o barco.",
        "假设我们决定卖船",
        "仮に船を売ることに決めたとします",
    ],
)
def test_what_is_only_supposed_was_not_decided(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Keep it under ten lines, just this once.",
        "Only for this chart: never use red.",
        "Nur dieses eine Mal immer den Hafen nennen.",
        "Uniquement pour cette carte, jamais de rouge.",
        "Solo por esta vez, nunca uses rojo.",
        "Só desta vez, nunca use vermelho.",
        "只有这张图不要用红色",
        "このグラフだけ必ず青にする",
    ],
)
def test_what_is_wanted_once_is_no_preference(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "In this project, always use metric units.",
        "Nur in dieser Werft immer mit Helm arbeiten.",
        "Solo en este puerto siempre se paga en efectivo.",
    ],
)
def test_what_is_wanted_in_one_project_or_place_lasts(text: str) -> None:
    assert _kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "Remember when we ran aground off Texel?",
        "I still remember our first boat.",
        "Weißt du noch, wie wir vor Texel aufgelaufen sind?",
        "Tu te souviens de notre premier bateau, quelle épave",
        "Te acuerdas de nuestro primer barco, qué ruina",
        "Lembra daquele nosso primeiro barco, que desastre",
        "还记得我们的第一条船吗，真破",
        "最初の船、覚えてる？",
    ],
)
def test_a_shared_memory_is_no_request_to_remember(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "You never let the crew down!",
        "Always a joy to sail with you.",
        "Du bist immer so geduldig.",
        "Tu es toujours aussi patient.",
        "Siempre tan amable con la tripulación.",
        "Você sempre me salva.",
        "いつも助かります",
        "No, it's all good, thanks.",
        "Nein, passt schon so.",
        "Non, ça va, laisse.",
        "No, así está bien.",
        "Não, está ótimo.",
        "没事，不用改",
        "いえ、大丈夫です",
        "You're right, I misread the chart.",
        "Du hast recht, das war mein Fehler.",
    ],
)
def test_praise_a_no_to_an_offer_and_a_concession_correct_and_wish_nothing(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "No, the other chart.",
        "No, the other one, the red pennant.",
        "Nein, nicht die, die darunter.",
        "不是这个，是上面那个。",
        "I meant the second pier.",
        "Nein, die andere Karte meinte ich.",
        "Non, l'autre carte.",
        "No, ese no, el mapa de al lado.",
        "Não, a de cima.",
        "いや、右の図。",
        "不对,我说的是左边那张。",
    ],
)
def test_pointing_at_another_thing_corrects_nothing_for_later(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Never mind, I found the anchor.",
        "Never say never, as sailors have it.",
        "Nunca digas nunca, capitán.",
        "Vergiss es, ich habe den Anker gefunden.",
        "Laisse tomber, j'ai trouvé l'ancre.",
        "Olvídalo, ya encontré el ancla.",
        "Deixa pra lá, já achei a âncora.",
        "やっぱりいいです。",
        "算了,我找到锚了。",
    ],
)
def test_who_takes_a_request_back_wishes_nothing(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "We decided to sail round the island yesterday, it was lovely.",
        "Wir haben uns entschieden, um die Insel zu segeln, es war herrlich.",
        "On a décidé de faire le tour de l'île, c'était génial.",
        "Decidimos rodear la isla, fue divertido.",
        "Decidimos dar a volta à ilha, foi ótimo.",
        "昨日みんなで島を回ることにした、楽しかった。",
        "昨天我们决定绕岛一圈,结果很开心。",
    ],
)
def test_a_tale_of_what_was_once_decided_is_no_decision(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize("text", ["You should always log the tide.", "You're right, but the pier is number 9, not 4."])
def test_a_duty_and_a_concession_with_a_but_are_heard(text: str) -> None:
    assert _kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "Save and sail on.",
        "Pin the map to the top and refresh.",
        "Speichern und schließen.",
        "Enregistre sous un autre nom.",
        "Guárdalo en el disco y ciérralo.",
        "Guarda isso na pasta de mapas.",
        "保存一下再打印",
        "地図を保存して閉じて",
        "メモリが足りないです",
    ],
)
def test_a_file_is_stored_without_a_fact_to_remember(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "The crew's vote is next Friday.",
        "The decision is still open.",
        "Lo decidimos mañana.",
        "Decidimos isso depois.",
        "出航日はもう決まりましたっけ",
    ],
)
def test_a_choice_that_is_to_come_is_not_decided(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Make this nicer: we no longer take passengers.",
        "Rends ça plus poli : nous ne prenons plus de passagers.",
        "Hazlo más amable: ya no aceptamos pasajeros.",
        "Deixe mais educado: não aceitamos mais passageiros.",
        "丁寧にして：乗客はもう受け入れません",
        "Once upon a time a sailor decided never to go home.",
        "SHIP-12: As a skipper I want to always see the tide.",
    ],
)
def test_a_text_to_be_worked_on_and_a_tale_are_not_the_authors(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    "text",
    ["I love this sea shanty.", "J'adore cette vieille chanson.", "Adoro essa canção.", "Nice, I prefer this version."],
)
def test_who_likes_one_thing_states_no_preference(text: str) -> None:
    assert _kinds(text) == set()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Short captions only from now on, please.", PREFERENCE),
        ("Ab jetzt bitte nur kurze Antworten.", PREFERENCE),
        ("Désormais, des réponses courtes.", PREFERENCE),
        ("今後は短く答えてください。", PREFERENCE),
        ("Ich bin Linkshänder.", SAVE),
        ("Je suis allergique aux crevettes.", SAVE),
        ("Soy zurda, tenlo en cuenta.", SAVE),
        ("Can't stand night watches, put me on mornings whenever you plan.", PREFERENCE),
        ("The committee said yes to the second boat.", DECISION),
        ("Le comité a dit oui pour le deuxième bateau.", DECISION),
        ("La junta aprobó el segundo barco.", DECISION),
        ("What you have for the depth can't be right, it's 4 metres.", CORRECTION),
    ],
)
def test_the_kind_follows_from_what_is_said(text: str, kind: CueKind) -> None:
    assert kind in _kinds(text)
