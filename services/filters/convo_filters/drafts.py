"""Where a turn stops speaking for itself and drafts a text for somebody. Pure."""

import re

_DRAFT = re.compile(
    r"^[ \t>*]*(?:subject|betreff|objet|asunto|assunto|oggetto|temat|konu|тема)\s?:[^\n]{0,80}$"
    r"|^[ \t>*]*(?:dear |to whom |sehr geehrte|chère? |estimad[oa]s? |prezad[oa]s? |gentile |szanown|sayın |уважаем)"
    r"[^\n]{0,80}$"
    r"|(?<=\n)[ \t>*]*(?:hi|hello|hey|hallo|bonjour|hola|olá|ciao) [^\n]{1,40}[,!][ \t]*$"
    r"|^[^\n]{0,120}(?:draft|template|version|example|script|sample|letter|message|email|bio|story|poem|essay|entwurf|"
    r"brief|nachricht|beispiel|lettre|brouillon|exemple|carta|correo|mensaje|borrador|ejemplo|mensagem|bozza|lettera|"
    r"messaggio|esempio|concept|bericht|wiadomość|taslak|mektup|письмо|сообщение|пример|черновик|лист|приклад|рассказ)"
    r"[^\n]{0,80}:[ \t*]*$",
    re.IGNORECASE | re.MULTILINE,
)


def draft_start(prose: str) -> int:
    """The first character of the first draft, or the length of the text where there is none."""
    if "\n" not in prose and ":" not in prose and "," not in prose:
        return len(prose)
    draft = _DRAFT.search(prose)
    return draft.start() if draft else len(prose)
