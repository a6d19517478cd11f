import pytest

from tests.filters.talk import answered, asked, hits, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*smiles* Of course.", "*smiles*"),
        ("Well *nods slowly* yes.", "*nods slowly*"),
        ("*I smile warmly* Hello.", "*I smile warmly*"),
        ("*leans back in the chair* So.", "*leans back in the chair*"),
        ("*clears throat* Ahem.", "*clears throat*"),
        ("Oh [laughs] no.", "[laughs]"),
        ("Fine (sighs) then.", "(sighs)"),
        ("(chuckling softly) Right.", "(chuckling softly)"),
        ("_grins_ Sure.", "_grins_"),
        ("*gently laughs* Right.", "*gently laughs*"),
        ("*lächelt* Gerne.", "*lächelt*"),
        ("*sourit* Bien sûr.", "*sourit*"),
        ("*улыбается* Конечно.", "*улыбается*"),
        ("*微笑* 当然。", "*微笑*"),
        ("(clears throat) Now.", "(clears throat)"),
        ("*waves hello* Hi.", "*waves hello*"),
    ],
)
def test_hits(text: str, words: str) -> None:
    for conversation in (answered(text), asked(text)):
        assert words_of(conversation, hits(conversation)["stage_direction"]) == words


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 * 4 = 24",
        "2*3*4 is 24",
        "This is **bold** and *really* good.",
        "* one thing\n* another thing\n* smiles are free",
        "Look (see below) for it.",
        "He laughs (a lot) at that.",
        "Sound (waves) travels.",
        "[smiles](https://example.org/smiles)",
        "`*smiles*` is what they type.",
        "I use *args and **kwargs here, *args again.",
        "The verb *lachen* means to laugh.",
        "snake_case_name and other_name_here",
        "(laughing is good for you)",
        "她笑了（真的）。",
        "The *waves* were high.",
        "**smiles** is a string here.",
        "She smiles and nods.",
        "そうですね（笑）",
        "[1] and (2) and *note*",
    ],
)
def test_passes(text: str) -> None:
    for conversation in (answered(text), asked(text)):
        assert "stage_direction" not in hits(conversation)
