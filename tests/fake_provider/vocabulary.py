"""About 2,000 ordinary English words, made from stems and the regular endings of English."""

_VERBS = """
add answer arrange arrive ask attend avoid bake balance blend boil borrow bounce breathe brush
carve change chase check circle claim clean clear climb close collect colour compare complain
connect consider cook correct count cover crawl create cross damage dance deliver depend
describe design detail develop discover discuss divide double doubt drain dress earn edit empty
encourage enjoy enter escape exchange excite expect explain explore express face fasten file fill
finish fix float fold follow force gather glance glue greet guard guess guide hammer handle harvest
heal heat help hope hover hunt hurry imagine improve include inform inspect invent invite join
judge jump kick knock label land laugh launch learn level lift like listen load lock look love
manage march mark match measure mend mention mix move narrow need notice offer open order
orbit own pack paint park pass pause perform pick place plant play point polish pour practise
praise prefer prepare press print produce promise protect prove pull pump push question queue raise
reach rebuild receive record reduce reflect remain remember remind remove repair repeat replace
reply report rescue rest return review rinse roll rotate rush sail sample save scatter search
season settle shape share shift shout sign simmer sketch smile smooth snow soak solve sort
sound spell squeeze stack start stay steer stretch study suggest support surprise switch talk
taste teach tend test thank tick tidy touch trace trade train travel treat trust tune turn twist
unpack use visit wait walk warm warn wash watch water weigh welcome whisper wish wonder work wrap
"""

_NOUNS = """
account acorn actor adventure airport alley anchor animal apple apron arch area arrow artist attic
autumn badge bakery balcony banana banner barn barrel basket bay beach bean bear bee bell
bench bicycle bird blanket blossom boat book boot border bottle boulder bowl box branch bread
bridge broom bucket builder bus button cabin cable cake camera camp candle canoe canvas captain
card cart castle cat cave ceiling cellar chair chalk channel cheese cherry chimney church cinema
clinic clock cloud coast coat coin comet compass concert corner cottage cotton cousin cradle crane
creek crown cup cupboard curtain cushion daisy deck desert desk dinner doctor dog dolphin donkey
door drawer dream drum eagle echo egg elbow engine evening event factory farm feather fence
ferry festival field finger fire flag flame flower forest fork fountain fox friend frog fruit garage
garden gate ghost glove goat grain grape guitar hall hat hawk hedge helmet herb hill
holiday honey hook horse hotel house ice idea island jacket jar jewel journey jug kettle key
kitchen kite ladder lake lamp lantern lawn leather lemon lesson letter library lighthouse lion
machine magnet map market meadow meal memory mill mirror moment monkey moon morning motor mountain
museum napkin needle neighbour nest net notebook ocean office onion orange orchard oven owl page
palace pan paper parcel parrot path pencil pepper piano picnic pillow pipe planet plate pocket poem
pond pony port potato pot prize pumpkin puzzle quarry quilt rabbit radio railway rain recipe
ribbon ring river road robot rock roof room rope rose saddle sailor salad sandwich scarf school
season shed sheet shell ship shop shoulder signal singer sister slipper snail soup spider spoon
station stone storm story stove stream street student sugar summer sweater table tailor tower
tractor train tree trumpet tunnel turtle valley van village violin wagon wall wheel whistle
willow window winter wizard wood yard
"""

_ADJECTIVES = """
able active amber ancient bitter blank bold brave brief bright brisk broad calm careful cheap
cheerful clear clever close cold common cool correct curious damp dark deep delicate dense direct
distant dull eager early earnest easy equal even exact faint fair familiar famous fancy fast firm
flat fresh friendly full generous gentle glad golden grand great green handy happy hard harsh
heavy hidden high hollow honest humble hungry large late lazy level light little local
lonely long loose loud lovely lucky mellow mild modern narrow native neat new noisy odd old patient
plain pleasant polite poor popular precious pretty private proper proud public pure quick quiet
rapid rare ready recent regular rich ripe rough round royal rural rusty salty serious shallow
sharp short shy silent silver simple slim slow small smart smooth soft solid sour spare special
square stable steady steep stiff strange strict strong sudden sunny sweet swift tall tender thick
thin tight tiny tough usual vast vivid warm weak wide wild wise wooden young
"""


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if _ends_in_consonant_y(verb) else verb + "ed"


def _going(verb: str) -> str:
    return (verb[:-1] if verb.endswith("e") else verb) + "ing"


def _plural(noun: str) -> str:
    if _ends_in_consonant_y(noun):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def _adverb(adjective: str) -> str:
    if adjective.endswith("le"):
        return adjective[:-1] + "y"
    return (adjective[:-1] + "i" if _ends_in_consonant_y(adjective) else adjective) + "ly"


def _ends_in_consonant_y(word: str) -> bool:
    return word[-1] == "y" and word[-2] not in "aeiou"


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.split()))


VERBS = _words(_VERBS)
NOUNS = _words(_NOUNS)
ADJECTIVES = _words(_ADJECTIVES)

SLOTS: dict[str, tuple[str, ...]] = {
    "verb": VERBS,
    "verbs": tuple(map(_plural, VERBS)),
    "past": tuple(map(_past, VERBS)),
    "going": tuple(map(_going, VERBS)),
    "noun": NOUNS,
    "nouns": tuple(map(_plural, NOUNS)),
    "adjective": ADJECTIVES,
    "adverb": tuple(map(_adverb, ADJECTIVES)),
}
"""Kind of gap in a sentence shape -> words that fit it."""
