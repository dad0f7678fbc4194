"""Cues of Spanish."""

from shared.core.sessions.languages.language import Phrases

_TROUBLE = r"(?:fall\w*|funcion\w*|error|bloque\w*|cuelg\w*|lent[oa]s?|arranc\w*|compil\w*|romp\w*|carg\w*|aparec\w*|muestra|entiendo|sé)"
_FILES = r"(?:memoria|memory|notas?|claude\.md|agents\.md|gemini\.md|memory\.md|reglas|directrices)"

SPANISH = Phrases(
    code="es",
    words="""de a me te lo ya vamos odio deja recuerde gracias favor muy al soy eres somos equivocas llámame quedamos bien guarda ten mediante mantener tests está el la los las un una y es no que en para con por del al se nosotros yo tú usted lo le su sus mi mis nuestro
        nuestra nuestros pero sí más siempre nunca usa usamos está están hay como sin cuando recuerda eso esto vez lugar ahora
        puedes podrías prefiero hemos decidido son ser fue porque cómo qué dónde sino ya""",
    lead=r"ok(?:ay)?|sí|si|vale|bien|bueno|genial|gracias|perfecto|entonces|y|pero|ah|oh|hm+|no|por favor|espera|en realidad|de hecho|mira|oye",
    question=r"<head>¿|<head>(?:(?:es|será) (?:verdad|cierto) que(?=[^,]{0,200}$)|por qué|cómo|cuándo|dónde|quién(?:es)?|cuál(?:es)?|cuánt[oa]s?|qué|me pregunto|no (?:sé|recuerdo|me acuerdo)|ni idea|(?:puedes|podrías) (?:explicar|decir|mostrar)(?:me|nos)?)\b",
    request=r"<head>¿?(?:(?:puedes|podrías|podemos|podríamos|puede|quieres)\b|(?:voy|vamos) a\b|necesito\b|quiero que\b|quisiera\b|me gustaría\b|(?:añade|agrega|corrige|crea|escribe|"
    r"borra|elimina|quita|renombra|mueve|revisa|mira|muestra|ejecuta|lanza|implementa|prueba|lee|busca|explica|resume|sube|dame|pon|"
    r"reemplaza|cambia|modifica|instala|genera|continúa|sigue|haz|arregla|comprueba)\b)",
    moment=r"<head>(?:espera|esperad|espere)\b(?! que\b)|\b(?:sigue (?:fallando|igual|sin|rot[oa])|todavía no|aún no|por ahora|de momento|por el momento|esta vez|primero|hasta que|(?:decid|acord|eleg)imos (?:eso |esto |todo )?(?:mañana|luego|después|más tarde|otro día|la (?:próxima )?semana))\b",
    reported=r"^(?!\W{0,8}(?:yo|he|hemos|te)\b)[^:\n]{2,80}\b(?:dice|decía|dijo|escribió|escribe|afirma|indica|comenta|comentario|error|mensaje|log|salida)\b"
    r"[^:\n]{0,40}:|^\W{0,8}(?:según|de acuerdo con)\b|^\W{0,8}(?:advertencia|aviso|error)\s?:|<head>(?:traduce|traduzca|resume|reformula)\b[^:\n]{0,60}:|"
    r"^\W{0,8}(?!(?:yo|te|nosotros)\b)(?:\w+ ){1,4}(?:dice|decía|dijo|cree|afirma|opina)\b(?! (?:que )?(?:sí|no)\b)|^\W{0,8}en (?:el|la|un|una|este|esta) (?:libro|novela|película|artículo|juego|serie|periódico)\b|"
    r"(?<!te )(?<!he )(?<!hemos )\b(?:dice|dijo|cree|afirma|opina) que\b|"
    r"<head>(?:corrige|mejora|acorta|reescribe|hazlo|haz que)\b[^:\n]{0,60}:|<head>(?:érase|había) una vez\b",
    idle=r"^\W{0,8}(?!(?:yo|te|nosotros|si|tu|tus|recuerda|nota)\b)(?![^\n]{0,400}\b(?:pero|sino)\b)(?:\w+ ){1,4}(?:cree|piensa|opina|jura|(?:siempre )?decía(?: siempre)?|siempre dice|está convencid[oa])\b|"
    r"<head>¿?(?:supón|supongamos|imagina(?:te)?|imagínate|imaginemos|pongamos que|y si|si (?:yo |nosotros )?\w{2,20}(?:ara|iera|ese|iese|áramos|iéramos))\b|"
    r"\b(?:(?:solo|sólo|solamente|únicamente) (?:por )?(?:esta vez|hoy|(?:en|para) est[ea] (?:correo|mensaje|carta|respuesta|archivo|gráfico|mapa|tabla|página|párrafo|texto|pregunta|caso)\b)|por (?:esta|una) vez\b|excepcionalmente\b)|"
    r"<head>tienes (?:toda la )?razón\b(?! (?:en|con)\b)(?![^\n]{0,400}\bpero\b)|"
    r"<head>no[,.! ]{1,3}(?:(?:así )?está (?:muy )?(?:bien|perfecto)|todo (?:muy )?bien|déjalo|tranquil[oa]|da igual)\b|"
    r"<head>¿?(?:te acuerdas|os acordáis|recuerdas|recordáis) (?!(?:de )?que\b)|"
    r"<head>no[,.! ]{1,3}(?:(?:es[eao]|est[eao]|aquel(?:la)?) no|(?:el|la|lo) (?:otr[oa]|de (?:al lado|arriba|abajo|la (?:izquierda|derecha))))(?: \w+)?(?=\W{0,4}$|[,.!;])|"
    r"\bnunca digas nunca\b|<head>no[,.! ]{1,3}quería decir (?:el|la) (?:primer|segund|tercer|últim|otr)[oa]?\b|<head>(?:olvídal[oa]|déjal[oa]|da igual|no importa)(?=\W{0,4}$|[,.!;])|"
    r"\bdecidi(?:mos|ó|eron|do)\b[^.!?\n]{1,80}[,;] (?:fue|estuvo) (?:\w+ )?(?:divertid[oa]|genial|riquísim[oa]|bonit[oa]|estupend[oa]|aburrid[oa]|horrible)\b",
    trouble=rf"\b{_TROUBLE}\b",
    states=r"\b(?:es|son|está|están|tiene|tienen|debe|deben|puede|usa|usan|corre|pertenece|cuesta|caduca|empieza|termina|exige|acepta|devuelve|vive)\b",
    narrates=r"^\W{0,8}(?:he|hemos|estuve|fui|reunión|pausa|terminad[oa]|corregid[oa]|probad[oa]|revisad[oa])\b|\b(?:hoy|mañana|ahora mismo|en este momento)\b",
    opening=r"^(?:(?:no|falso|incorrecto)\b\s{0,2}[,.!:;\u2013-]+\s*|(?:ok(?:ay)?|sí|vale|bueno|bien|pero|en realidad|de hecho|espera|por favor)\b[,.!:\s]+)*"
    r"(?:(?:eso|esto) (?:no es (?:así|correcto|cierto|verdad)|es (?:falso|incorrecto)|está mal)\b[,.!:;\s]*)?"
    r"(?:(?:recuerda|recuerde|no olvides|ten en cuenta|toma nota|anota|apunta|para que (?:lo )?sepas|importante|nota|como (?:ya )?dije)\b[,:\s]*(?:de\s+)?(?:que\s+)?)?",
    corrections=(
        (
            "no",
            0.8,
            r"<head>(?:no|falso|incorrecto)(?:[,.!:;]| \u2013| -)\s*(?!gracias|hay problema|te preocupes|pasa nada|sigue|continúa)\S",
        ),
        (
            "not right",
            0.9,
            r"\b(?:eso|esto|así) no es (?:así|correcto|cierto|verdad|lo que)\b|\bno es (?:correcto|cierto|lo que (?:pedí|quería|dije))\b"
            r"|\b(?:eso|esto) (?:es (?:falso|incorrecto)|está mal)\b|\b(?:te equivocas|estás equivocado|te has equivocado)\b",
        ),
        (
            "I meant",
            0.9,
            r"(?<!lo que )\b(?:quería decir|quise decir|me refería|ya te (?:lo )?(?:he dicho|dije)|te dije|(?:nunca|no) (?:he dicho|dije)|como (?:ya )?(?:he dicho|dije))\b",
        ),
        (
            "takes back",
            0.8,
            r"\bte (?:confundes|equivocas|has (?:confundido|equivocado|liado))\b|\bme (?:he equivocado|equivoqué|confundí|he confundido)\b|<head>(?:corrección|rectifico|perdón):|\bes al revés\b",
        ),
        ("not X but Y", 0.9, r"\bno (?!solo|sólo|solamente|únicamente)[^.!?\n]{1,80},? sino\b"),
        (
            "X, not Y",
            0.7,
            r"\b(?:es|son|está|están|se llama|corre|usa|usamos|va|vive)\b[^.!?\n]{1,60}, (?:y )?no (?!solo|obstante|hay|sé|es\b|se\b|me\b|funciona)",
        ),
        ("instead", 0.6, r"<sound>\b(?:en (?:lugar|vez) de)\b"),
        (
            "no longer",
            0.7,
            r"<sound>(?:\bya no\b|\b(?:obsolet|anticuad|desactualizad|descontinuad)[oa]s?\b)",
        ),
        (
            "you did",
            0.7,
            r"\b(?:te (?:has )?olvidaste|te has olvidado|has (?:olvidado|borrado|ignorado|confundido|entendido mal|inventado)|olvidaste|entendiste mal|deberías haber)\b",
        ),
        (
            "order not to",
            0.7,
            r"<head>no (?:uses?|utilices?|pongas?|añadas?|agregues?|escribas?|hagas?|toques?|modifiques?|cambies?|subas?|commitees|crees?|metas?|incluyas?|instales?)\b"
            r"|<head>(?:deja|dejad) de\b|<head>evita\b",
        ),
    ),
    saves=(
        (
            "remember",
            0.9,
            r"\b(?:recuerda|recuerde|no (?:te )?olvides|ten (?:en cuenta|presente)|toma nota|anota|apunta|memoriza|para que (?:lo )?sepas|importante:|nota:|para (?:luego|más tarde):|apúnta(?:te|lo)|acuérdate de que|que no se te olvide|para la próxima\b)",
        ),
        (
            "to memory",
            0.95,
            r"\b(?:guarda|guárdalo|añade|añádelo|agrega|apunta|anota|anótalo|escribe|pon|ponlo|registra)\b[^.!?\n]{0,80}\b(?:en|a) "
            rf"(?:la |el |las |los |tu |tus )?{_FILES}\b|\bactualiza\b[^.!?\n]{{0,30}}{_FILES}\b",
        ),
    ),
    decisions=(
        (
            "decided",
            0.9,
            r"\b(?:hemos|he|se ha|equipo ha)\b[^.!?\n]{0,15}\b(?:decidido|elegido|acordado|optado|escogido)\b|\b(?:decidimos|acordamos|elegimos|optamos)\b|\b(?:quedamos|hemos quedado|quedó|habíamos quedado) en (?:que|no|\w+[aei]r)\b"
            r"|\b(?:al final|finalmente|por fin),? (?:nos quedamos|vamos|elegimos|tiramos|será|usaremos|lo hacemos)\b|\b(?:queda|está) (?:fijado|cerrado|zanjado|resuelto)\b|\bes definitivo\b"
            r"|<head>(?:ya )?(?:está|queda) (?:decidido|acordado)\b|\bdecisión(?: final)?:|\bla decisión (?:es|fue)\b|\bse (?:decidió|acordó)\b",
        ),
        (
            "we do",
            0.6,
            r"\b(?:usamos|utilizamos|empleamos|desplegamos|nos quedamos con|vamos con|seguimos con|pasamos a|mantenemos|alojamos|trabajamos con)\b",
        ),
        ("goal", 0.7, r"\b(?:el objetivo|el plan|la regla|la convención|la política|la norma) (?:es|era)\b"),
    ),
    facts=(
        (
            "is",
            0.6,
            r"\bsoy (?:\w+ )?(?:celíac[oa]|vegan[oa]|vegetarian[oa]|alérgic[oa]|intolerante|diabétic[oa]|daltónic[oa]|disléxic[oa]|zurd[oa])\b",
        ),
    ),
    lasting=(
        (
            "from now on",
            0.85,
            r"\b(?:a partir de (?:ahora|hoy)|de ahora en adelante|desde ahora|en (?:el )?futuro|en adelante|la próxima vez)\b",
        ),
        (
            "always",
            0.7,
            r"<sound>(?<!como )(?<!eres )\b(?:siempre(?! (?:igual|tan|eres|me (?:salvas|ayudas|entiendes|sorprendes)))|nunca(?! (?:(?:lo |la )?(?:he|había) \w+[td]o|vi|fallas|me fallas|decepcionas))|jamás)\b",
        ),
        ("let's keep to", 0.7, r"<head>(?:usemos|utilicemos|quedémonos|mantengamos|sigamos|evitemos|pasemos)\b"),
    ),
    preferences=(
        ("to be called", 0.7, r"\b(?:llámame|tutéame|trátame de)\b(?! (?:cuando|si|a las|mañana|luego))"),
        (
            "is and does not",
            0.6,
            r"\b(?:yo )?no (?:como|bebo|fumo|tolero|soporto|conduzco|trabajo)\b",
        ),
        (
            "not without",
            0.6,
            r"\bsin (?:preguntarme|avisarme|consultarme|mi permiso|mi aprobación)\b|\bpregúntame (?:siempre |primero )?antes\b|\bno hace falta que (?:me )?(?:expliques|preguntes|pidas|confirmes)\b|<head>(?:nada de|solo|sólo) \w+[^.!?\n]{0,50}\b(?:en|por favor|sin|para)\b",
        ),
        (
            "taste",
            0.7,
            r"\b(?:yo )?prefier[oa]\b|\bpreferiría\b|\bpreferimos\b|\b(?:no )?me (?:gusta|gustan|encanta|encantan)\b(?! (?:esto|eso|est[ea]s?|es[ea]s?|la idea|tu)\b)|\b(?:odio|detesto)\b(?! (?:est[eao]s?|es[eao]s?)\b)|\bmi preferencia\b",
        ),
        (
            "kept simple",
            0.6,
            r"\bmantén(?:lo|la|los|las)? (?:simple|corto|breve|sencill[oa]|conciso)\b|\bnada (?:complicado|especial)\b|\brespuestas?\b[^.!?\n]{0,20}\b(?:demasiado|muy) largas?\b",
        ),
        (
            "use X",
            0.6,
            r"<head>(?:usa|utiliza|emplea)\b[^.!?\n]{1,80}\b(?:para (?:los|las|tod)|en tod)|<head>(?:responde|contesta|escribe)(?:me)? (?:siempre )?en \w+\b",
        ),
    ),
)
