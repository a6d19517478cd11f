import pytest

from tests.filters.talk import answered, asked, hits, only, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dear [Your Name], welcome.", "[Your Name]"),
        ("I live in [city] now.", "[city]"),
        ("Call me at [insert phone number].", "[insert phone number]"),
        ("Hello [First Name]!", "[First Name]"),
        ("Our shop is [COMPANY NAME].", "[COMPANY NAME]"),
        ("It is about {{ topic }} today.", "{{ topic }}"),
        ("{% if user %}hello", "{% if user %}"),
        ("On <insert date> we met.", "<insert date>"),
        ("I am <your name>.", "<your name>"),
        ("Hello {user_name}, how are you?", "{user_name}"),
        ("Lorem ipsum dolor sit amet.", "Lorem ipsum"),
        ("Bonjour [votre nom], ça va ?", "[votre nom]"),
        ("Hola [tu nombre].", "[tu nombre]"),
        ("我叫[你的名字]。", "[你的名字]"),
        ("【姓名】您好", "【姓名】"),
        ("Меня зовут [ваше имя].", "[ваше имя]"),
        ("Ich heiße [Ihr Name].", "[Ihr Name]"),
    ],
)
def test_hits(text: str, words: str) -> None:
    for conversation in (answered(text), asked(text)):
        assert words_of(conversation, hits(conversation)["placeholder"]) == words


@pytest.mark.parametrize(
    "text",
    [
        "See [your account page](https://example.org) for it.",
        "Use `[Your Name]` as the blank.",
        "```jinja\n{{ topic }} and {name}\n```",
        "The list is [1, 2, 3] here.",
        "He said [sic] that.",
        "In LaTeX \\frac{alpha}{beta} and x^{max} work.",
        "The set {a, b} has two members.",
        "Is a < b and your c > d?",
        "Read arr[name] from the table.",
        "She wrote [laughter] in the margin.",
        "用户[注意]这里",
        "The cost is ${amount} in the shell.",
        "Your name? I forgot it.",
        "The lore of ipswich.",
    ],
)
def test_passes(text: str) -> None:
    assert "placeholder" not in hits(answered(text))


def test_single_braces_can_be_switched_off() -> None:
    off = only("placeholder", braces=False)
    assert "placeholder" not in hits(answered("Write {user_name} there."), off)
    assert "placeholder" in hits(answered("Write {{user_name}} there."), off)
