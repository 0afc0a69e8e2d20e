"""Phrases that are no attempt, as patterns over folded words in which a bar stands for the end of a clause."""

import re
from typing import Final

from .talk import talk

DONT_KNOW: Final = talk("dont_know.txt")
PLEA: Final = talk("pleas.txt")
ORDER: Final = talk("orders.txt")
INSULT: Final = talk("insults.txt")
REQUEST: Final = talk("requests.txt")
GREETING: Final = talk("greetings.txt")

FILLER: Final = frozenset(["actually", "rest", "yet", "else", "basically", "already", "sir", "miss", "honest", "si"])
"""Words that add nothing to any of these, beside those that each language's lexicon lists."""
_BESIDE: Final = """
machine computer tutor teacher program app bot robot lesson question exercise thing guys man dude bro ass face head off
maquina ordenador profe profesor programa leccion pregunta ejercicio tio tia chaval vete vida
"""
BESIDE_AN_INSULT: Final = frozenset(_BESIDE.split())
"""Words that add nothing to an insult."""
_ABOUT: Final = "he she they him her his them their was were because el ella ellos ellas era eran fue porque"
ABOUT_SOMEBODY: Final = frozenset(_ABOUT.split())
"""With these an insult is a statement: "he was an idiot"."""

# A doubt before an answer: "no sé si ...", "not sure, but ...".
HEDGE: Final = re.compile(
    r"(?:^|(?<=\| ))(?:la verdad )?(?:"
    r"no (?:lo )?se(?: (?:muy )?bien| seguro)?|no estoy segur[oa]"
    r"|i (?:do not|dont) know|idk|(?:i am |im |i m )?not (?:really |very )?sure"
    r")(?: \||(?= pero| aunque| but)| (?:si|if)(?= )|$)"
)
