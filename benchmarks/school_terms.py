"""Terms of school science that one letter parts, and that are too rare for lists of words: "alkane", "alkene"."""

from collections.abc import Iterator
from typing import Final

_FAMILIES: Final = {
    "en": (
        ("meth eth prop but pent hex hept oct alk", "ane ene yne anol anal anoic yl"),
        ("nitr sulf sulph phosph phosph chlor brom iod carbon silic chrom arsen", "ate ite ide ates ites ides ic ous"),
        ("hypo hyper iso", "tonic thermia tension glycemia glycaemia"),
        ("exo endo ecto meso epi hypo peri", "thermic derm cytosis crine gamy gamous carp skeleton dermis"),
        ("af ef", "ferent ferents"),
        ("ab ad", "duction ductor sorption sorb sorbs sorbed hesion"),
        ("a peri apo", "helion gee geal"),
        ("auto hetero homo", "troph trophic trophs zygous zygote zygotic geneous"),
        ("pro eu", "karyote karyotes karyotic"),
        ("intra inter", "cellular venous molecular phase specific"),
        ("pro meta ana telo inter", "phase phases"),
        ("mono di tri poly", "mer mers saccharide saccharides peptide cot"),
        ("cat an", "ion ions ode odes"),
    ),
    "es": (
        ("met et prop but pent hex hept oct alc", "ano eno ino anol anal anoico ilo anos enos inos"),
        ("alqu", "eno enos ino inos ilo ilos"),
        ("nitr sulf fosf clor brom yod carbon silic crom arsen", "ato ito uro atos itos uros ico oso"),
        ("hipo hiper iso", "tonico tonica tonicos tonicas termia tension glucemia"),
        ("exo endo ecto meso epi peri", "termico termica dermo citosis crino crina gamia carpo esqueleto dermis"),
        ("a e", "ferente ferentes"),
        ("ab ad", "duccion ductor sorcion sorbe sorber sorben sorbido"),
        ("a peri apo", "helio geo"),
        ("auto hetero homo", "trofo trofos trofa trofas cigoto cigotico geneo genea"),
        ("pro eu", "cariota cariotas cariontes carionte"),
        ("intra inter", "celular venoso molecular fase"),
        ("pro meta ana telo inter", "fase fases"),
        ("mono di tri poli", "mero meros sacarido sacaridos peptido"),
        ("cat an", "ion iones odo odos"),
    ),
}
_WORDS: Final = {
    "en": (
        "mitosis meiosis ileum ilium ureter ureters urethra lipase lipases ligase ligases lactase lactose maltase "
        "maltose sucrase sucrose amylase amylose glucose glycogen glucagon fructose cellulose cellulase "
        "interphase thymine thiamine adenine cytosine guanine uracil cysteine cystine serine lysine peptide "
        "peptone nucleus nuclei nucleolus nucleoid larynx pharynx arteriole arteries artery venule ventricle "
        "ventral tropic trophic tropism trophism osmosis species specie genus genes phylum phloem xylem stamen "
        "stigma style ovule ovum ova spore spores pore pores stroma stoma stomata thylakoid gneiss schist shale "
        "shall quartz quarts mantle mental magma lava larva larvae alga algae fungus fungi neutron neuron neurone "
        "proton protein photon electron positron boron barium radium radon rhodium sodium indium iridium rubidium "
        "ruthenium strontium titanium tantalum thallium thulium terbium erbium ytterbium yttrium hafnium lutetium "
        "tellurium technetium selenium secant cosecant sine cosine tangent radian radiant median medium mean mode "
        "vertex vortex vertices abscissa ordinate denominator numerator"
    ),
    "es": (
        "mitosis meiosis ileon ilion ureter ureteres uretra lipasa lipasas ligasa ligasas lactasa lactosa maltasa "
        "maltosa sacarasa sacarosa amilasa amilosa glucosa glucogeno glucagon fructosa celulosa celulasa "
        "interfase timina tiamina adenina citosina guanina uracilo cisteina cistina serina lisina peptido peptona "
        "nucleo nucleolo laringe faringe arteriola arteria venula ventriculo tropico trofico tropismo trofismo "
        "osmosis especie especia genero filo floema xilema estambre estigma estilo ovulo espora esporas poro "
        "poros estroma estoma estomas savia sabia tilacoide neis esquisto cuarzo cuarto manto magma lava larva "
        "larvas alga algas hongo neutron neurona neuron proton proteina foton electron positron boro bario radio "
        "radon rodio sodio indio iridio rubidio rutenio estroncio titanio tantalio talio tulio terbio erbio "
        "iterbio itrio hafnio lutecio telurio tecnecio selenio secante cosecante seno coseno tangente radian "
        "mediana media moda vertice vortice abscisa ordenada denominador numerador diastole sistole inmersion "
        "emersion catodo anodo cation anion concavo convexo"
    ),
}


def school_terms(language: str) -> Iterator[str]:
    """The terms of a language, folded."""
    yield from _WORDS[language].split()
    for stems, endings in _FAMILIES[language]:
        yield from (stem + ending for stem in stems.split() for ending in endings.split())
