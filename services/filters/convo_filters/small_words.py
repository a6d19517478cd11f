"""Small words that nearly every text of a language has many of, for languages that share a script. Pure."""

_LISTED = {
    "en": "the and of to in is it you that for on with as are be this have i not at from or an was but if my your so "
    "can what do how they we there which would when",
    "de": "der die das und ist nicht ein eine ich du sie er es zu mit auf für von den dem im auch wie so aber oder "
    "wenn man sich noch nur bei als aus kann wird mir dir einen sind",
    "fr": "le la les de des et est un une que je vous tu il elle en dans pour pas sur avec ce qui au aux plus mais "
    "ou si c'est j'ai d'un d'une votre mon ne se sont cette être",
    "es": "el la los las de y que en un una es por con para no se lo su mi tu del al como pero más muy si está "
    "puedes te me o este esta son hay cuando qué",
    "pt": "o a os as de e que em um uma é por com para não se no na do da seu sua meu minha mas mais muito você como "
    "está ou isso ao pode dos das são foi",
    "it": "il la lo gli le di e che in un una è per con non si del della al mi ti ma più come se sono da anche "
    "questo puoi ho nel dei o delle alla molto",
    "nl": "de het een en van is niet ik je dat in op te met voor zijn maar ook als er aan om heb naar dan wat kan "
    "bij uit of wel nog mijn deze zo",
    "pl": "i w na z nie się to jest że do jak o po ale czy mi ja ty za co od dla może już tylko przez mam są tak lub "
    "bardzo jeśli być tym",
    "tr": "bir ve bu da de için ile çok ne mi ben sen o daha gibi ama var yok kadar olarak en sonra nasıl değil şey "
    "mı ya her iyi olan biraz",
    "vi": "là và của có không cho một được trong với bạn tôi này các những để khi thì ở đã nhưng như rất cũng nên "
    "hay nó sẽ bị từ nếu về phải mà",
    "ru": "и в не на что я с как это а по но у к же вы за из от так для мне его бы или если то есть очень только "
    "можно уже был она они",
    "uk": "і в не на що я з як це а по але у до та ви за від так для мені його б або якщо то є дуже тільки можна вже "
    "був вона вони й чи",
}
SMALL_WORDS = {language: frozenset(words.split()) for language, words in _LISTED.items()}
"""By two-letter language."""
