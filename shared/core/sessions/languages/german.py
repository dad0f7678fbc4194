"""Cues of German."""

from shared.core.sessions.languages.language import Phrases

_TROUBLE = r"(?:fehl\w*|schl(?:ägt|agen)|stürz\w*|funktionier\w*|häng\w*|brich\w*|scheiter\w*|crash\w*|langsam\w*|kaputt|klappt|geht|lädt|startet|kompiliert|baut|erscheint|verstehe|weiß|finde)"
_FILES = r"(?:gedächtnis|memory|notizen?|claude\.md|agents\.md|gemini\.md|memory\.md|regeln|richtlinien)"

GERMAN = Phrases(
    code="de",
    words="""müssen muss am an einem einer alle aus nach bei über lautet pro regel merke bevorzuge mag hör nutzen verwenden denk schreib danke der die das und ist nicht ein eine einen wir ich du bitte mit auf für von zu den dem im es sind aber auch nur
        immer nie niemals kein keine keinen nein statt doch wie warum kannst könntest mach wird werden haben hat beim zum
        zur sollen soll mir mich dir uns sondern merk verwende nutze dass wenn ab jetzt alle unsere unser lieber falsch""",
    lead=r"ok(?:ay)?|ja|gut|super|danke|also|und|aber|ach|oh|hm+|naja|bitte|moment|stopp?|genau|klar|alles klar|nein|nee|doch|dann|äh|ähm",
    question=r"<head>(?:(?:stimmt es|ist es wahr),? dass(?=[^,]{0,200}$)|(?:warum|wieso|weshalb|woher|wohin|wer|welche[rsnm]?|was|wie(?! (?:gesagt|besprochen|immer|üblich))|"
    r"wo(?! (?:immer|möglich))|wann(?! immer))\b(?! (?:ich|wir) )|ich frage mich\b|(?:ich|wir) (?:weiß|wissen) (?:noch |leider |gerade |auch )?(?:nicht|nicht mehr)\b|keine ahnung\b|(?:kannst|könntest) du mir (?:sagen|erklären|zeigen)\b)",
    request=r"<head>(?:(?:kannst|könntest|könnten|können|würdest|magst|willst) (?:du|sie|wir|ihr)\b|lass(?:t)? (?:uns|mich)\b|"
    r"ich (?:werde|brauche|möchte, dass du|will, dass du|hätte gerne?)\b|"
    r"(?:mach|füg|erstell|schreib|lösch|entfern|ergänz|änder|benenn|verschieb|prüf|schau|zeig|start|führ|bau|fix|korrigier|"
    r"implementier|test|lies|such|erklär|fass|commit|push|gib|setz|stell|ersetz|probier|installier|generier)(?:e|te)?\b)",
    moment=r"<head>(?:warte(?:n sie)?(?= (?:noch|kurz|mal|bitte))|moment mal)\b|\bimmer noch (?:nicht|kaputt|rot|derselbe)\b|\b(?:für (?:diesen|diese|dieses) eine[ns]?\b|noch nicht|erstmal|erst mal|fürs erste|vorerst|für jetzt|diesmal|dieses mal|im moment|gerade|bis (?:ich|wir|du))\b",
    reported=r"^(?!\W{0,8}(?:ich|wir|wie ich)\b)[^:\n]{2,80}\b(?:sagte?|meinte?|schreibt|schrieb|steht|stand|behauptet|kommentierte|"
    r"meldet|meldung|fehler|fehlermeldung|kommentar|log|ausgabe)\b[^:\n]{0,40}:|^\W{0,8}(?:laut|gemäß)\b|^\W{0,8}(?:warnung|fehler|error)\s?:|<head>(?:übersetze?|fasse?|korrekturlies|kürze?)\b[^:\n]{0,60}:|"
    r"^\W{0,8}(?!(?:ich|wir|wie|du|ihr)\b)(?:\w+ ){1,4}(?:sagte?|meinte?|behauptete?|schreibt|schrieb|erzählte?)\b(?! (?:mir|uns) )|"
    r"^\W{0,8}(?:im|in (?:der|dem|einem|einer)) (?:buch|roman|film|artikel|zeitung|spiel|serie|lied)\b|"
    r"\b(?:behauptet|sagt|meint|findet|schreibt)e?n?, (?:dass|man|wir|du)\b|"
    r"<head>(?:formulier|verbesser|korrigier|überarbeit|schreib|mach)\w{0,3} [^:\n]{0,60}\b(?:um|neu|höflicher|freundlicher|kürzer|besser)\s?:|<head>es war einmal\b",
    idle=r"^\W{0,8}(?!(?:ich|wir|du|ihr|wenn|dass|deine?|merk|wichtig)\b)(?![^\n]{0,400}\b(?:aber|sondern)\b)(?:\w+ ){1,4}(?:meint|meinte|glaubt|denkt|schwört|ist überzeugt|sagt(?:e|en)? (?:immer|gern)|(?:immer|stets) (?:sagt|gesagt))\b|"
    r"<head>(?:(?:mal )?angenommen|gesetzt den fall|nehmen wir (?:mal )?an|stell(?:t|en sie)? (?:dir|euch|sich) (?:mal )?vor|hypothetisch|was wäre,? wenn)\b|"
    r"<head>wenn (?:ich|wir) [^\n]{1,80}\b(?:wäre|wären|hätte|hätten|würde|würden|möchte)\b|"
    r"\b(?:(?:nur |bloß )?(?:dieses|dies) eine mal|nur (?:diesmal|dieses mal|heute|für heute)|ausnahmsweise|nur (?:für|in) diese[nmrs]? (?:e?-?mail|nachricht|brief|antwort|datei|diagramm|grafik|bild|karte|tabelle|seite|absatz|text|frage|fall)\b)|"
    r"<head>(?:da )?(?:du hast|hast du) (?:ja |natürlich |völlig )?recht\b(?! (?:mit|dass)\b)(?![^\n]{0,400}\baber\b)|"
    r"<head>(?:nein|nee|nö)[,.! ]{1,3}(?:passt(?! (?:so )?nicht\b)|(?:alles|schon|ist)(?: schon| alles)? (?:gut|ok(?:ay)?|bestens)|danke)\b|"
    r"<head>(?:weißt du noch|wisst ihr noch|erinnerst du dich|kannst du dich (?:noch )?(?:an|erinnern))\b|"
    r"<head>(?:nee?|nein|nö)[,.! ]{1,3}(?:nicht (?:das|die|den|der)\b|(?:das|die|den|der) (?:andere[nrs]?|linke[nrs]?|rechte[nrs]?|obere[nrs]?|untere[nrs]?|erste[nrs]?|zweite[nrs]?|dritte[nrs]?))(?: \w+){0,2}(?: meinte ich)?(?=\W{0,4}$|[.,!;])|"
    r"\b(?:niemals nie sagen|(?:sage?|sag) (?:niemals|nie) nie)\b|<head>(?:vergiss (?:es|das)|schon gut|egal|hat sich erledigt|lass gut sein)(?=\W{0,4}$|[,.!;])|"
    r"\b(?:entschieden|beschlossen)\b[^.!?\n]{1,80}[,;] (?:es|das) war (?:\w+ )?(?:schön|toll|lustig|lecker|super|herrlich|furchtbar|langweilig)\b",
    trouble=rf"\b{_TROUBLE}\b",
    states=r"\b(?:ist|sind|war|hat|haben|muss|müssen|darf|dürfen|soll|sollen|kann|können|nutzt|nutzen|verwendet|braucht|brauchen|läuft|liegt|heißt|gehört|kostet|endet|beginnt|wird|werden|erwartet|liefert|unterstützt)\b",
    narrates=r"^\W{0,8}(?:(?:ich|wir|heute|gerade|dann|noch)\s+){0,3}(?:hab(?:e|en)?|bin|weiter|angefangen|fertig|erledigt|mittag|pause|besprechung)\b|\b(?:ge\w{2,14}t|\w{2,14}iert|gefixt|fertig|erledigt|begonnen|angesehen)\W*$|\b(?:heute|gerade|morgen|im moment)\b|"
    r"\b(?:ist|sind) (?:rot|grün|kaputt|down|fertig|langsam|bereit)\b",
    opening=r"^(?:(?:nein|nee|nö|falsch)\b\s{0,2}[,.!:;\u2013-]+\s*|(?:ok(?:ay)?|ja|also|bitte|moment|stopp?|aber)\b[,.!:\s]*)*"
    r"(?:das (?:ist|war|stimmt) (?:leider |so |aber )?(?:falsch|nicht(?: richtig| korrekt)?)\b[,.!:;\s]*)?"
    r"(?:(?:merk(?:e)? dir|denk(?:e)? (?:daran|dran)|vergiss nicht|nicht vergessen|wie gesagt|zur info|wichtig|notier(?:e)?(?: dir)?|"
    r"halt(?:e)? fest|zur erinnerung)\b(?!(?: bitte)?,? dass\b)(?: bitte)?[,:\s]*)?",  # "dass" moves the verb to the end
    corrections=(
        ("no", 0.8, r"<head>(?:nein|nee|nö|falsch)\b(?![, ]+(?:danke|mach|bitte|lass|alles))[,.!: \u2013-]+\S"),
        (
            "not right",
            0.9,
            r"(?<!was )\bstimmt (?:so |leider |aber |doch |eigentlich )?nicht\b|\b(?:das|dies|es|antwort|annahme)\b[^.!?\n]{0,25}"
            r"\b(?:ist|war|sind) (?:so |leider |aber |doch |wirklich )?(?:nicht (?:richtig|korrekt|ganz richtig|wahr)|falsch)\b"
            r"|\bdu (?:liegst|irrst)\b",
        ),
        (
            "I meant",
            0.9,
            r"(?<!was )\bich (?:meinte|sagte)\b|(?<!was )\bich hab(?:e)?(?: dir| euch| das)?(?: doch| schon| bereits| nie| nicht| ja){0,3}"
            r" (?:gesagt|gemeint)\b|\bgemeint (?:war|ist|sind)\b",
        ),
        (
            "takes back",
            0.8,
            r"\bdu (?:verwechselst|irrst|täuschst|hast dich (?:geirrt|vertan|verlesen|getäuscht))\b|\bich hab(?:e)? mich (?:vertan|geirrt|versprochen|verschrieben|vertippt)\b"
            r"|<head>(?:korrektur:|kommando zurück\b)|\bmein fehler[,:;.]|\bgenau (?:umgekehrt|andersherum)\b",
        ),
        ("not X but Y", 0.9, r"\bnicht (?!nur|allein|bloß)[^.!?\n]{1,80}, ?sondern\b"),
        (
            "X, not Y",
            0.7,
            r"\b(?:ist|sind|heißt|läuft|laufen|liegt|liegen|gehört|gehören|lautet|verwendet|nutzt|nutzen)\b[^.!?\n]{1,60}, "
            r"(?:und )?nicht (?!nur|wahr|mehr|so\b)",
        ),
        ("instead", 0.6, r"<sound>\b(?:statt|anstatt|anstelle)\b"),
        (
            "no longer",
            0.7,
            r"<sound>(?:\bnicht mehr\b|\bkeine?[nmsr]? \w+ mehr\b|\b(?:veraltet|überholt|obsolet|abgeschafft)\b)",
        ),
        (
            "you did",
            0.7,
            r"\bdu (?:hast|hattest|solltest)\b[^.!?\n]{0,60}\b(?:falsch (?:geschrieben|verstanden|gesetzt|angegeben)|vergessen|übersehen|gelöscht|entfernt|ignoriert|missverstanden|"
            r"verwechselt|überschrieben|erfunden)\b",
        ),
        (
            "order not to",
            0.7,
            r"<head>(?:hör auf|(?:verwend|benutz|nutz|nimm|schreib|mach|füg|commit|push|änder|setz|leg|bau|fass)(?:e|te)?\b"
            r"[^.!?\n]{0,60}\b(?:kein|keine|keinen|keinem|keiner|nicht)\b(?! vergessen))",
        ),
    ),
    saves=(
        (
            "remember",
            0.9,
            r"\b(?:merk(?:e)? dir|merken sie sich|denk(?:e)? (?:bitte )?(?:daran|dran)|vergiss (?:bitte )?nicht|behalt(?:e)? (?:im|in)|"
            r"notier(?:e)?|halt(?:e)? (?:bitte )?fest|nicht vergessen:|(?:zur|für die) erinnerung|zur info\b|wichtig:|für später:|fürs nächste mal\b|schreib(?:e)? (?:dir |es |das |bitte ){1,3}auf\b)",
        ),
        (
            "to memory",
            0.95,
            r"\b(?:speicher|schreib|notier|füg|trag|leg|nimm|übernimm|ergänz|aktualisier|erweiter)\w{0,3}\b[^.!?\n]{0,80}"
            rf"\b(?:in|im|ins|zu|zum|zur|deine[nmr]?|die|der|den) (?:\w+ )?{_FILES}\b",
        ),
    ),
    decisions=(
        (
            "decided",
            0.9,
            r"\b(?:wir|ich|team)\b[^.!?\n]{0,70}\b(?:entschieden|beschlossen|geeinigt|festgelegt|vereinbart)\b|\b(?:entschieden|"
            r"beschlossen|vereinbart) (?:ist|wurde):?|\b(?:es|das|damit) steht (?:jetzt |nun |damit )?fest\b|<head>abgemacht\b|\bentscheidung(?::| (?:ist|war|lautet)\b)|\bwurde (?:entschieden|beschlossen|vereinbart)\b",
        ),
        (
            "settled",
            0.7,
            r"\b(?:das|es|damit|thema|sache|termin|punkt)\b (?:(?:ist|sind|wäre|steht) )?(?:(?:jetzt|nun|damit|also|hiermit|jedenfalls) ){0,2}(?:fix|fixiert|durch|gesetzt|abgehakt|vom tisch|endgültig|beschlossene sache|in stein gemeißelt)\b"
            r"|\bdann machen wir(?:'s| das| es)(?: also| jetzt| doch)? so\b|\b(?:es|dann|damit|dabei|also) bleibt(?: es| das)?(?: also| jetzt| nun)? (?:bei|beim|dabei)\b|\bwir machen (?:das|es) (?:jetzt |nun |künftig |ab \w+ )?(?:mit|so|ohne|über)\b"
            r"|\bwir (?:haben uns|entscheiden uns|legen uns)\b[^.!?\n]{1,40}\b(?:für|gegen|auf|fest)\b[^.!?\n]{1,60}(?:entschieden|verständigt|geeinigt|fest)?\W*$|\bfällt (?:die )?(?:wahl|entscheidung) auf\b",
        ),
        (
            "we do",
            0.6,
            r"\bwir (?:nutzen|verwenden|benutzen|nehmen|bleiben bei|bleiben auf|wechseln|setzen auf|deployen|hosten|committen|mergen|"
            r"speichern|betreiben|arbeiten mit|verzichten)\b|\b(?:nutzen|verwenden|benutzen|nehmen|deployen|committen|mergen|speichern) wir\b",
        ),
        ("goal", 0.7, r"\b(?:das |die |der )?(?:ziel|plan|regel|konvention|vorgabe|richtlinie) (?:ist|war|lautet)\b"),
    ),
    facts=(
        (
            "is",
            0.6,
            r"\bich bin (?:\w+ )?(?:allergisch|veganer\w*|vegan|vegetarier\w*|diabetiker\w*|farbenblind|laktoseintolerant|legastheniker\w*|linkshänder\w*)\b",
        ),
    ),
    lasting=(
        (
            "from now on",
            0.85,
            r"\bab (?:jetzt|sofort|heute|nun)\b|\bvon (?:jetzt|nun) an\b|\bin zukunft\b|\b(?:zu)?künftig\b|\bfortan\b|\bfürs nächste mal\b",
        ),
        (
            "always",
            0.7,
            r"<sound>^(?![^\n]{0,80}\b(?:du|ihr) (?!sollst|musst|darfst|sollt|müsst|dürft)\w{1,20} (?:\w{1,20} )?(?:immer|nie|niemals|stets)\b)[^\n]*?"
            r"(?<!schon )(?<!wie )(?<!noch )\b(?:immer(?! (?:noch|wieder|mehr|weniger|öfter|besser|so\b|diese|verlass))|"
            r"niemals|nie(?! (?:gesehen|gehört))|stets|grundsätzlich)\b",
        ),
        (
            "let's keep to",
            0.7,
            r"\blass(?:t)? uns\b[^.!?\n]{0,60}\b(?:nehmen|nutzen|verwenden|benutzen|bleiben|wechseln|umsteigen|verzichten)\b",
        ),
    ),
    preferences=(
        (
            "to be called",
            0.7,
            r"\b(?:duz|sieze?|nenn(?:e)?) mich\b(?! (?:verrückt|altmodisch|ruhig verrückt))|\bper (?:du|sie)\b",
        ),
        (
            "is and does not",
            0.6,
            r"\bich (?:vertrage|esse|trinke|rauche|brauche|will|möchte) (?:\w+ )?(?:keine?[nmr]?|nichts mit|nie|weder)\b",
        ),
        (
            "not without",
            0.6,
            r"\bohne (?:rückfrage|absprache|rücksprache|freigabe|mein ok|meine (?:zustimmung|freigabe))\b|\bfrag(?:e)? (?:mich )?(?:bitte )?(?:immer |erst |vorher |zuerst |lieber ){1,2}"
            r"|\b(?:du musst|brauchst) (?:mir |mich )?(?:nicht|nichts)\b[^.!?\n]{0,40}\b(?:zu erklären|erklären|fragen|entschuldigen|bestätigen)\b|<head>(?:bitte )?(?:keine|nur|niemals) [^.!?\n]{3,60}\b(?:in|bei|im|als|ohne)\b",
        ),
        (
            "taste",
            0.7,
            r"\bich (?:bevorzuge|liebe|hasse|mag)\b(?! (?:das\b|diese|deine?|dass\b|die idee))|\bich [^.!?\n]{1,30} lieber\b|\bmir (?:ist|sind|wäre)"
            r"[^.!?\n]{1,40}\blieber\b|\bam liebsten\b|\blieber\b[^.!?\n]{1,60}\bals\b",
        ),
        (
            "kept simple",
            0.6,
            r"\bhalt(?:e)? (?:\w+ ){1,3}(?:einfach|kurz|knapp|schlank)\b|\bkurz und knapp\b|\bnichts (?:ausgefallenes|besonderes)\b"
            r"|\bantworten?\b[^.!?\n]{0,20}\bzu (?:lang|ausführlich)\b",
        ),
        (
            "use X",
            0.6,
            r"<head>(?:verwend|benutz|nutz)(?:e|en sie)?\b[^.!?\n]{1,80}\b(?:für|überall|bei|in allen|nur)\b|<head>(?:antwort|schreib)(?:e)? "
            r"(?:mir )?(?:auf|in) \w+\b",
        ),
    ),
)
