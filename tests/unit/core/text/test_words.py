"""A text is found by each of its own words, in every script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.search.bm25 import TextIndex
from shared.core.text.similarity import NEAR_DUPLICATE, RELATED, significant_words, similarity
from shared.core.text.words import as_indexed, cut

#: (language, a note, what a user looks for)
ASKED = [
    ("Hindi", "सर्वर का हिन्दी दस्तावेज़ पढ़ें", "हिन्दी"),
    ("Hebrew with points", "הַשֶּׁרֶת עִבְרִית כאן", "עִבְרִית"),
    ("Arabic", "الخادم يعمل على المنفذ الخامس", "الخادم"),
    ("Japanese", "本番のデータベースは東京リージョンで動いている", "データベース"),
    ("Chinese", "生产数据库运行在上海的服务器上", "数据库"),
    ("Korean", "운영 데이터베이스를 서울에서 돌린다", "데이터베이스"),
    ("Thai", "ฐานข้อมูลทำงานที่กรุงเทพ", "ฐานข้อมูล"),
    ("Turkish", "Üretim sunucusu İSTANBUL bölgesinde", "İstanbul"),
    ("Greek", "στην ΑΘΗΝΑ είναι", "αθηνα"),
    ("accents that stand apart", "le serveur de l'e\u0301cole", "école"),
    ("an identifier of many letters", f"the commit {'0123456789abcdef' * 4} broke it", "0123456789abcdef" * 4),
]
TEXTS = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from("abc zäö_-'’…—日本ผูहिन्दी"),  # noqa: RUF001 - typography is what this is about
    ),
    max_size=40,
)


@pytest.mark.parametrize(("note", "asked"), [case[1:] for case in ASKED], ids=[case[0] for case in ASKED])
def test_a_note_is_found_by_a_word_of_it(note: str, asked: str) -> None:
    index = TextIndex([("other", "about something else 別 別 भाषा 그 것"), ("note", note)])
    assert [key for key, _ in index.search(significant_words(asked, 10), 2)][:1] == ["note"]


@given(TEXTS)
def test_an_index_splits_a_text_into_the_words_that_a_question_is_cut_into(text: str) -> None:
    assert as_indexed(text).split() == cut(text)


@given(TEXTS)
def test_cutting_what_was_cut_changes_nothing(text: str) -> None:
    once = cut(text)
    assert cut(" ".join(once)) == once


@given(TEXTS)
def test_every_word_of_a_text_finds_it(text: str) -> None:
    words = cut(text)
    hits = TextIndex([("it", text)]).search(words, 1)
    assert [key for key, _ in hits] == (["it"] if words else [])


def test_notes_in_a_script_without_spaces_are_compared_by_more_than_whole_sentences() -> None:
    note = "本番のデータベースは東京リージョンで動いていて、毎晩三時にバックアップを取る。"
    same = "毎晩三時にバックアップを取る。本番のデータベースは東京リージョンで動いている。"
    other = "会議室の予約は総務の田中さんにメールで頼むこと。金曜日は使えない。"
    assert similarity(note, same) >= NEAR_DUPLICATE
    assert similarity(note, other) < RELATED
