"""A person's request to forget something is heard in every language that has cues, and nothing else is taken for one."""

import pytest

from shared.core.forgetting.asked import find_named, find_wishes
from shared.core.forgetting.told import find_gone
from shared.languages.language_file import read_heads

ASKED = [
    ("en", "Please forget my phone number.", "phone number"),
    ("en", "Could you forget my old home address, please?", "old home address"),
    ("en", "Thanks! Delete everything you know about Mara Vogel.", "mara vogel"),
    ("en", "Remove my address from your memory.", "address"),
    ("de", "Vergiss bitte meine Telefonnummer.", "telefonnummer"),
    ("de", "Kannst du meine Adresse vergessen?", "adresse"),
    ("de", "Lösche alles, was du über meine Allergie weißt.", "allergie"),
    ("fr", "Oublie mon numéro de téléphone, s'il te plaît.", "numéro de téléphone"),
    ("fr", "Efface tout ce que tu sais de mon allergie.", "allergie"),
    ("es", "Por favor, olvida mi número de teléfono.", "número de teléfono"),
    ("es", "Borra todo lo que sabes sobre mi alergia.", "alergia"),
    ("it", "Per favore dimentica il mio numero di telefono.", "numero di telefono"),
    ("it", "Cancella tutto quello che sai della mia allergia.", "allergia"),
    ("nl", "Vergeet alsjeblieft mijn telefoonnummer.", "telefoonnummer"),
    ("nl", "Wis alles wat je over mijn allergie weet.", "allergie"),
    ("nl", "Kun je mijn adres vergeten?", "adres"),
    ("pt", "Por favor, esqueça o meu número de telefone.", "número de telefone"),
    ("pt", "Apague tudo o que você sabe sobre a minha alergia.", "alergia"),
    ("zh", "请忘记我的电话号码。", "电话号码"),
    ("zh", "请把我的地址忘掉。", "地址"),
    ("ja", "私の電話番号を忘れてください。", "電話番号"),
    ("ja", "アレルギーについて知っていることを消してください。", "アレルギー"),
]
NOT_ASKED = [
    ("en", "Forget it."),
    ("en", "Please forget about it."),
    ("en", "Please don't forget my birthday."),
    ("en", "I forgot my password."),
    ("en", "You always forget my name."),
    ("en", "Forget my last message."),
    ("en", "> Please forget my phone number."),
    ("en", 'She wrote: "Please forget my phone number."'),
    ("de", "Vergiss es."),
    ("de", "Vergiss meinen Geburtstag nicht!"),
    ("de", "Ich habe mein Passwort vergessen."),
    ("fr", "Oublie ça."),
    ("fr", "N'oublie pas mon anniversaire."),
    ("fr", "J'ai oublié mon mot de passe."),
    ("es", "Olvídalo."),
    ("es", "No olvide mi cumpleaños."),
    ("es", "He olvidado mi contraseña."),
    ("it", "Dimenticalo."),
    ("it", "Non dimenticare il mio compleanno."),
    ("it", "Ho dimenticato la mia password."),
    ("nl", "Vergeet het."),
    ("nl", "Vergeet mijn verjaardag niet!"),
    ("nl", "Ik ben mijn wachtwoord vergeten."),
    ("pt", "Esqueça isso."),
    ("pt", "Não esqueça o meu aniversário."),
    ("pt", "Esqueci a minha senha."),
    ("zh", "别忘了我的生日。"),
    ("zh", "我忘记了我的密码。"),
    ("zh", "算了，忘了吧。"),  # noqa: RUF001 - as it is written
    ("ja", "私の誕生日を忘れないでください。"),
    ("ja", "私のパスワードを忘れてしまいました。"),
    ("ja", "それは忘れてください。"),
]


@pytest.mark.parametrize(("code", "text", "thing"), ASKED)
def test_what_a_person_asks_to_forget_is_heard_with_its_name(code: str, text: str, thing: str) -> None:
    assert find_wishes(text) == (thing,), code


@pytest.mark.parametrize(("code", "text"), NOT_ASKED)
def test_what_is_no_request_to_forget_is_not_taken_for_one(code: str, text: str) -> None:
    assert find_wishes(text) == (), code


def test_every_language_with_cues_has_a_request_and_two_that_are_none() -> None:
    assert {code for code, *_ in ASKED} == set(read_heads())
    assert all(sum(code == one for one, _ in NOT_ASKED) >= 2 for code in read_heads())


@pytest.mark.parametrize(
    ("thing", "statement"),
    [
        ("phone number", "Ann can be called at 0170/123 45 67."),
        ("phone number", "Her phone has the number of the office."),
        ("e-mail", "Write to ann@example.com."),
        ("allergy", "Ann is allergic to nuts."),
        ("address and my birthday", "Ann has her birthday in May."),
        ("telefonnummer", "Anrufen unter 0170 1234567."),
        ("電話番号", "アンの電話番号は内線四です。"),
    ],
)
def test_statements_that_name_the_thing_are_found_and_the_others_stay(thing: str, statement: str) -> None:
    content = f"# Ann\n\n- {statement}\n- The roses are watered on Mondays.\n"
    assert find_named(thing, content) == {statement}


def test_what_is_gone_are_the_statements_that_a_memory_has_lost() -> None:
    assert find_gone("# A\n\n- Tel. 0170.\n- Tea.\n- No.\n", "# A\n\n- Tea.\n") == {"Tel. 0170."}


def test_a_word_in_which_the_name_of_a_phone_number_stands_names_none() -> None:
    """Languages without spaces have no whole words: a Latin name of theirs would stand in `hotel`."""
    assert find_named("hotel booking", "# A\n\nThe account number of the firm is 12345678.\n") == frozenset()
