"""Words with two accepted spellings, such as "color" and "colour": by what parts them, where both are words."""

import re
from collections.abc import Collection, Iterator
from typing import Final

# What the spelling that is kept has, and what the other has in its place.
_RULES: Final = {
    "en": (
        # color, colour
        (r"(?<=[^aeiou][^aeiou])(?<!fl)or(?=(?:s|ed|ing|ful|less|able|ite|ites|al|ally|er|ers)?$)", "our"),
        (r"(?<=[aeiou][^aeiou])or(?=(?:s|ed|ing|ful|less|able|ite|ites|al|ally|er|ers)?$)", "our"),
        (r"(?<=[tb])er(?=s?$)", "re"),  # meter, metre
        (r"(?<=[a-z]{3})iz(?=(?:e|es|ed|ing|er|ers|ation|ations|able)$)", "is"),
        (r"(?<=[a-z]{3})yz(?=(?:e|es|ed|ing|er|ers)$)", "ys"),
        (r"(?<=[aeiou])l(?=(?:ed|ing|er|ers)$)", "ll"),  # labeled, labelled
        (r"(?<=[a-z]{3})og(?=s?$)", "ogue"),
        (r"(?<=[a-z]{3})ens(?=es?$)", "enc"),  # defense, defence
        (r"sulf", "sulph"),
        (r"(?<=^h)em(?=[aiot])|(?<=an)em(?=i)|(?<=[ckh])em(?=i[ac])", "aem"),
        (r"^ped(?=i)|(?<=orthop)ed|(?<=encyclop)ed", "aed"),
        (r"^est(?=rog|r[ou])", "oest"),
        (r"^es(?=oph)", "oes"),
        (r"^fet(?=us|al)", "foet"),
        (r"^fec(?=es|al)", "faec"),
        (r"^ces(?=ium)", "caes"),
        (r"^est(?=het)", "aest"),
        (r"^ed(?=ema)", "oed"),
        (r"(?<=diarrh)e(?=a)", "oe"),
        (r"^am(?:e)(?=ba)", "amoe"),
        (r"^maneuver(?=s?$)", "manoeuvre"),
        (r"^gyn(?:e)(?=col)", "gynae"),
        (r"^pale(?=ont|olith|oz)", "palae"),
    ),
    "es": (
        (r"^(?:re|in)?(?<![a-z])tras(?=[a-z]{3})", "trans"),
        (r"oscur", "obscur"),
        (r"sust(?=an|it|ra)", "subst"),
        (r"^sic(?=o)", "psic"),
        (r"^pos(?=t?[a-z]{4})", "post"),
        (r"^remp(?=l)", "reemp"),
        (r"^seu(?=d)", "pseu"),
        (r"^armon", "harmon"),
        (r"^yerb", "hierb"),
        (r"^vati(?=os?$)", "wati"),
        (r"^omio(?=s?$)", "ohmio"),
    ),
}
_PAIRS: Final = {
    "en": (
        "aging ageing, aluminum aluminium, analog analogue, artifact artefact, ax axe, caliber calibre, catalog "
        "catalogue, cozy cosy, curb kerb, dialog dialogue, disk disc, draft draught, enroll enrol, fulfill "
        "fulfil, gray grey, installment instalment, jewelry jewellery, judgment judgement, license licence, "
        "licenses licences, maneuver manoeuvre, meager meagre, mold mould, molds moulds, moldy mouldy, molt "
        "moult, mustache moustache, ocher ochre, pajamas pyjamas, plow plough, plows ploughs, practice practise, "
        "practiced practised, practicing practising, program programme, programs programmes, skeptic sceptic, "
        "skeptical sceptical, skillful skilful, smolder smoulder, somber sombre, sulfate sulphate, sulfide "
        "sulphide, sulfur sulphur, sulfuric sulphuric, tire tyre, tires tyres, toward towards, around round, "
        "yogurt yoghurt"
    ),
    "es": "cinc zinc, septiembre setiembre, kilometro quilometro, vatio watio, vatios watios",
}
_TWO_WORDS: Final = (
    "amor baled baling charters doled doling enter faber filed filer filers filing galing loled loling miler "
    "milers outer paling piled piling poled poling poseamos refiled riling scored scoring stor taler tiled tiler "
    "tiling timber timbers waling wiling"
)
"""The first of pairs that the rules find and that are two words: "filed" and "filled"."""


def variants(language: str, words: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Pairs of spellings of which both are among the words, the kept one first."""
    found = {tuple(pair.split()) for pair in _PAIRS[language].split(", ")}
    two_words = frozenset(_TWO_WORDS.split())
    for word in words:
        for pattern, other in _RULES[language]:
            spelt = re.sub(pattern, other, word, count=1)
            if spelt != word and spelt in words and word not in two_words:
                found.add((word, spelt))
    return iter(sorted(found))
