import pytest

from tests.filters.talk import hits, only, talk

RUSSIAN = "Сегодня хорошая погода, и мы пойдём гулять в парк вместе с детьми."
CHINESE = "今天天气很好，我们去公园散步吧，孩子们也一起去，路上可以买一些水果和面包，晚上再一起回家做饭吃。"
JAPANESE = "今日は天気がいいので、子供たちと一緒に公園へ散歩に行きましょう。帰りにパンを買います。"
ARABIC = "الطقس جميل اليوم وسنذهب إلى الحديقة مع الأطفال بعد الظهر"
HINDI = "आज मौसम बहुत अच्छा है और हम बच्चों के साथ बगीचे में जाएंगे"
KANA = "カタカナひらがな"
KOREAN = "오늘은 날씨가 좋아서 아이들과 함께 공원에 산책하러 갈 거예요 그리고 빵도 사요"
ENGLISH = "The weather is fine today, and we will walk in the park with the children."
THAI = "วันนี้อากาศดีมาก เราจะไปเดินเล่นในสวนสาธารณะกับเด็กๆ"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (RUSSIAN, "en"), (CHINESE, "en"), (JAPANESE, "de-DE"), (ARABIC, "fr"), (HINDI, "es"), (ENGLISH, "ru"),
        (ENGLISH, "zh"), (ENGLISH, "zh-Hant"), (CHINESE, "ja"), (JAPANESE + KANA, "zh"),
        (KOREAN, "ja"), (THAI, "ko"), (ENGLISH, "th"), (RUSSIAN, "ar"), (ENGLISH, "hi"),
    ],
)  # fmt: skip
def test_hits(text: str, language: str) -> None:
    assert "wrong_language" in hits(talk(text, text, language=language))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (RUSSIAN, "ru"), (CHINESE, "zh-CN"), (CHINESE, "zh-Hant"), (JAPANESE, "ja"), (ARABIC, "ar"), (HINDI, "hi"),
        (KOREAN, "ko"), (THAI, "th"), (ENGLISH, "en-GB"), ("Il fait très beau aujourd'hui, n'est-ce pas ?", "en"),
        ("Übermäßig schöne Grüße — naïve café", "de"), (ENGLISH, "sr-Latn"), (RUSSIAN, "tlh"), ("да", "en"),
        ("The word for it is «хлеб», and you say it like this.", "en"), ("Я пишу на Python и JavaScript.", "ru"),
        ("```python\nprint('a long line of code')\n```\nЭто весь код.", "ru"), ("🙂 123", "ja"),
        ("Tiếng Việt rất hay", "vi"),
    ],
)  # fmt: skip
def test_passes(text: str, language: str) -> None:
    assert "wrong_language" not in hits(talk(text, text, language=language))


def test_one_long_turn_of_another_script_is_enough() -> None:
    found = hits(talk(ENGLISH, ENGLISH, ENGLISH, RUSSIAN))["wrong_language"]
    assert found.turn == 3
    assert "Latin" in found.detail
    off = only("wrong_language", least_turn_share=0, least_share=0)
    assert "wrong_language" not in hits(talk(ENGLISH, RUSSIAN), off)
