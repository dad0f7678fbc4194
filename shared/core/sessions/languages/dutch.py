"""Cues of Dutch."""

from shared.core.sessions.languages.language import Phrases

_TROUBLE = (
    r"(?:faal\w*|faalt|mislukt\w*|crash\w*|gecrasht|foutmelding\w*|hangt|vastgelopen|loopt vast|kapot|stuk|traag|lukt|laadt|laden|compileert|"
    r"(?:start|opent|opstarten|bouwt) (?:\w+ ){0,2}(?:niet|niks|op)|doet (?:het|niets|niks)|verschijnt|gaat (?:niet|fout|mis)|snap|begrijp|weet|vind|"
    r"werk(?:t|te|en|ten)(?! (?:niet meer |niet |nu |al )?(?:bij|als|voor|met)\b))"
)
_FILES = r"(?:geheugen|memory|notities?|aantekeningen|nota's|claude\.md|agents\.md|gemini\.md|memory\.md|regels|spelregels|richtlijnen)"
_YOU = r"(?:je|jij|u|ge|gij)"
#: Words behind "maar" that begin a new clause, or by which it only means "just".
_CLAUSE = (
    r"(?:ik|we|wij|je|jij|u|hij|ze|zij|het (?:is|was|werkt|gaat|kan|lukt|blijft)|dat|dit|er|nu|dan|misschien|toch|goed|even|nog|ook|daar|zo|als|wat|hoe|"
    r"waarom|laat|kan|kun|doe|ga)"
)

DUTCH = Phrases(
    code="nl",
    words="""de het een en van op ik je jij jullie niet geen zijn wordt worden voor naar om te dat dit deze ook maar nog wel bij uit aan aub nooit altijd
        voortaan graag alsjeblieft alstublieft liever onthoud schrijf gebruik maak noem noemen zet doe geef kun kunt kan kunnen moet moeten mogen wil heb
        hebt heeft hebben bent wij ons onze mijn jouw uw zij hij haar hem mij ze wat waarom waar hoe welke nee neen ja fout klopt nu vanaf eens eerst
        zonder alleen enkel gaan gaat hou houd gewoon eigenlijk iets iemand niets niks elke zoals besloten afgesproken vergeet noteer dus omdat voordat
        zodat wanneer toch daar weer veel goed nodig andere misschien samen bedankt zou zouden zullen heet eet laat laten komt komen ligt werkt draait doen
        verder vergist verkeerd bedoel bedoelde gezegd oude nieuwe korte tussen tegen tijdens hun weet vind twee drie vijf uur dagen maand jaar vrouw zus
        broer moeder vader zoon dochter meneer mevrouw maandag dinsdag woensdag donderdag vrijdag zaterdag zondag antwoorden berichten bestand regels
        houden blijven gebruiken vandaag gisteren is in of we me was test code file""",
    lead=r"ok(?:ay|é|e|ee|i)?|ja|prima|goed|mooi|super|top|bedankt|dank (?:je|u)(?: wel)?|dankjewel|merci|dus|en|maar|ach|oh?|ah|hm+|tja|nou|allee|alsjeblieft|alstublieft|aub|"
    r"moment(?:je)?|stop|precies|klopt|duidelijk|nee|neen|nope|jawel|hoor|dan|eh+|uh+|wacht(?: even)?|sorry|zeg|hé|hey|hoi|trouwens|inderdaad|graag",
    question=r"<head>(?:(?:klopt het|is het waar|is het zo|klopt|is het juist),? dat(?=[^,]{0,200}$)|(?:waarom|waarvoor|waardoor|waarmee|waarheen|waaraan|hoezo|hoe(?! (?:dan ook|ook|besproken))|wie|wiens|"
    r"welke?|wat(?! (?:mij|ons|betreft|mijn)\b)|waar(?! (?:mogelijk|nodig)\b)|wanneer(?=[^,]{0,200}$))\b(?! (?:ik|we|wij) )|ik vraag me af\b|(?:ik|we|wij) (?:weet|weten) (?:het |nog |even |helaas |eigenlijk |ook |echt ){0,3}niet\b|"
    rf"(?:ik )?heb geen idee\b|geen (?:flauw )?idee\b|weet {_YOU} (?:soms |misschien |toevallig )?(?:wat|hoe|of|waar|wie|welke?"
    rf"|waarom)\b|(?:kun|kan|kunt|zou|wil) {_YOU} (?:me |mij |ons )(?:eens |even )?(?:zeggen|vertellen|uitleggen|laten zien|kunnen)\b)",
    request=rf"<head>(?:(?:kun|kan|kunt|wil|wilt|zou|mag|wou) (?:{_YOU}|jullie|we)\b|laten (?:we|wij)\b|laat (?:ons|me|mij|eens|even)\b"
    rf"|ik (?:ga(?! (?:akkoord|voor)\b)|zal|wil dat {_YOU}|zou graag|heb [^.!?\n]{{1,30}} nodig|moet nog)\b|we hebben [^.!?\n]{{1,30}} nodig\b|"
    r"(?:maak|voeg|schrijf|verwijder|wis|wijzig|verander|pas|hernoem|verplaats|controleer|check|kijk|toon|start|voer|bouw|fix|repareer|corrigeer|verbeter|herschrijf|vul|implementeer|test|lees|zoek|leg|vat|commit|push|"
    r"geef|zet|stel|vervang|probeer|installeer|genereer|draai|run|doe|ga|open|stuur|mail|bel|boek|reserveer|plan|vertaal"
    r"|bereken|reken|help|bedenk|update|merge|deploy|sorteer|vergelijk|haal|noem (?:drie|vier|vijf|tien|een paar|enkele|\d))\b)",
    moment=r"\b(?:nog niet|voorlopig|voor nu|voor(?:alsnog| het moment)|op dit moment|op het moment|momenteel|(?:deze|dit) keer|ditmaal"
    r"|eerst (?:even|nog|maar|eens|wil ik)|nu even|even niet|zo meteen|wacht (?:even |nog )?(?:met|tot)|(?:tot|totdat) (?:ik|we|je|jij|wij))\b",
    reported=r"^(?!\W{0,8}(?:ik|we|wij|zoals ik)\b)[^:\n]{2,80}\b(?:zei|zegt|zeiden|zeggen|schrijft|schreef|meent|beweert|beweerde|meldt|meldde|melding|foutmelding|foutcode|error"
    r"|opmerking|commentaar|reactie|log|uitvoer|output|(?:er|daar) (?:staat|stond)|(?:staat|stond) (?:er|in)|(?:op|in) (?:de|het|een) [\w-]{2,20} (?:staat|stond))\b[^:\n]{0,40}:"
    r"|^\W{0,8}(?:volgens (?!mij\b|ons\b|jou\b|mijn\b)|aldus\b|naar verluidt\b)|^\W{0,8}(?:waarschuwing|foutmelding|fout"
    r"|error|opgelet)\s?:|<head>(?:vertaal|vat|corrigeer|kort|verkort|verbeter|herschrijf|herformuleer|hertaal)\b[^:\n]{0,60}:|"
    r"^\W{0,8}(?!(?:ik|we|wij|zoals|je|jij|u|ge|jullie|dat|dit|het|wat|wie)\b)(?:[\w'-]{1,20} ){1,4}(?:zei|zegt|zeiden|zeggen|beweert|beweerde|schrijft|schreef|vertelde|meende)\b(?! (?:ik|we|wij|me|mij|ons) )|"
    r"^\W{0,8}in (?:het|de|een|dit|dat|die) (?:boek|roman|film|artikel|krant|spel|game|serie|lied|liedje|podcast|documentaire|review|verhaal)\b|"
    r"\b(?<!ik )(?<!je )(?<!u )(?:beweert|beweren|zegt|zei|meent|meende|schrijft|schreef),? (?:dat|we|je|men)\b|"
    r"<head>(?:formuleer|herformuleer|verbeter|corrigeer|herschrijf|schrijf|maak)\b[^:\n]{0,60}\b(?:om|opnieuw|beleefder|vriendelijker|korter|beter|formeler|vlotter)\s?:|<head>er was eens\b",
    idle=r"^\W{0,8}(?!(?:ik|we|wij|je|jij|u|ge|jullie|als|dat|dit|het|wat|onthoud|noteer|belangrijk"
    r"|vergeet)\b)(?![^\n]{0,400}\bmaar\b)(?:[\w'-]{1,20} ){1,4}(?:vindt dat|vond dat|gelooft|geloven|denkt|dacht|denken|meent|zweert|is ervan overtuigd|"
    r"(?:zegt|zei|zeggen|zeiden) (?:vroeger )?(?:altijd|vaak|graag|steeds)|(?:altijd|steeds) (?:zegt|zei))\b|"
    rf"<head>(?:stel(?:,| dat\b| nou\b| nu\b| eens dat\b| we\b| wij\b| ik\b| {_YOU} (?:eens |nou )?(?:voor|hebt|bent|had|was|zou|krijgt|wint)\b)"
    r"|gesteld dat\b|hypothetisch\b|aangenomen dat\b|neem(?:t)? (?:nu |nou |eens )?aan dat\b|wat als\b|wat zou\b|beeld je (?:eens )?in\b)|"
    r"<head>als (?:ik|we|wij)\b[^,\n]{0,60}\b(?:was|waren|had|hadden|zou|zouden|won|wonnen|kon|konden|mocht|mochten)\b|"
    r"\b(?:(?:alleen |enkel |slechts )?(?:voor )?(?:deze|die|dit) (?:ene|éne|één) keer|(?:alleen|enkel|maar) (?:voor )?(?:deze keer|dit keer|ditmaal|vandaag)|bij (?:hoge )?uitzondering|(?:alleen"
    r"|enkel) (?:voor|in) (?:deze|dit|die) (?:e-?mail|mail|mailtje|bericht|berichtje|brief|antwoord|bestand|grafiek|afbeelding|foto|kaart|tabel|pagina|slide|alinea|tekst|vraag|geval)\b)|"
    r"<head>(?:daar )?(?:(?:je|jij|u|ge) (?:hebt|heb|heeft)|heb je|heb jij|hebt u|heeft u) (?:natuurlijk |helemaal |zeker "
    r"|absoluut |inderdaad |volkomen |daar |ook |wel ){0,3}gelijk\b(?! (?:dat|over|met|wat)\b)(?![^\n]{0,400}\bmaar\b)|"
    r"<head>(?:nee|neen)(?: hoor)?[,.! ]{1,3}(?:zo |dat |het |alles |is |was |gaat |al |wel |helemaal |echt ){0,5}(?:goed|prima|ok|oké|oke"
    r"|okay|best|in orde|perfect|top|bedankt|dank je|dank u|merci|laat maar|hoeft niet|niet nodig|niet erg)(?=\W{0,4}$|[,.!;]| zo\b| hoor\b)|"
    rf"<head>(?:weet (?:{_YOU}|jullie) nog\b|herinnert? {_YOU} (?:je |jou |u |zich )?(?:nog\b|die\b|dat\b|toen\b)|(?:kun|kan|kunt) {_YOU} (?:je|u|zich) (?:nog )?(?:[\w'-]{{1,20}} ){{0,4}}herinneren\b)|"
    r"<head>(?:nee|neen)[,.! ]{1,3}(?:niet (?:die|dat|deze|dit|de|het)\b|(?:die|dat|de|het) (?:andere?|linkse?|linker\w{0,10}|rechtse?|rechter\w{0,10}"
    r"|bovenste|onderste|eerste|tweede|derde|vorige))(?: \w{1,20}){0,2}(?: bedoel(?:de)? ik)?(?=\W{0,4}$|[.!;]|, (?:die|dat|de|het) andere?\b)|"
    r"\bzeg nooit nooit\b|\bnooit nooit zeggen\b|<head>(?:laat maar(?: zitten)?|laat zitten|vergeet het(?: maar)?|vergeet maar|maakt niet uit|het maakt niet uit|geeft niet|geeft niks|zit wel goed|komt goed)(?=\W{0,4}$|[,.!;])|"
    r"<head>(?:vertaal|corrigeer|verbeter|herschrijf|herformuleer)\b(?![^:\n]{0,60}\b(?:altijd|voortaan|nooit)\b)[^:\n]{0,60}:\s?\S|"
    r"\b(?:besloten|beslist|afgesproken)\b[^.!?\n]{1,80}[,;] (?:het|dat) was (?:\w{1,20} )?(?:leuk|mooi|lekker|gezellig|super|heerlijk|vreselijk|saai|tof|plezant|grappig)\b",
    trouble=rf"\b{_TROUBLE}\b",
    states=r"\b(?:is|zijn|was|waren|heeft|hebben|moet|moeten|mag|mogen|zal|zullen|kan|kunnen|gebruikt|gebruiken|draait|loopt|ligt|staat|heet|hoort|kost|eindigt|begint|wordt|worden|verwacht|levert|ondersteunt)\b",
    narrates=r"^\W{0,8}(?:(?:ik|we|wij|vandaag|net|daarna|toen|nog)\s{1,4}){0,3}(?:heb|hebben|ben|verder|begonnen|klaar|gedaan|afgerond|lunch|pauze|overleg|vergadering)\b"
    r"|\b(?:ge\w{2,14}[dt]|\w{2,6}ge\w{2,14}[dt]|gefixt|klaar|afgerond|begonnen|bekeken)\W*$|\b(?:vandaag|zonet|morgen|momenteel|op dit moment)\b|"
    r"\b(?:is|zijn) (?:rood|groen|kapot|stuk|plat|down|klaar|traag)\b",
    opening=r"^(?:(?:nee|neen|fout)\b\s{0,2}[,.!:;\u2013-]{1,4}\s{0,4}|(?:ok(?:ay|é|e)?|ja|alsjeblieft|alstublieft|moment|stop|maar)\b[,.!:\s]{0,4}){0,6}"
    r"(?:(?:dat|dit|het) (?:klopt|is|was) (?:helaas |zo |toch |echt )?(?:fout|verkeerd|onjuist|niet(?: juist| correct| waar)?)\b[,.!:;\s]{0,4})?"
    r"(?:(?:onthoud|denk er ?aan|denk erom|vergeet niet|niet vergeten|zoals gezegd|ter info|belangrijk|noteer|schrijf op|let op|"
    r"ter herinnering)\b(?!(?: even| alsjeblieft| goed)?,? dat\b)(?: even| alsjeblieft| goed)?[,:\s]{0,4})?",  # "dat" moves the verb to the end
    corrections=(
        (
            "no",
            0.8,
            r"<head>(?:(?:nee|neen)\b(?![, ]+(?:hoor|bedankt|dank|merci|doe|ga|graag|laat|alles|prima|hoeft|sorry))[,.!: \u2013-]+\S|(?:fout|mis|verkeerd|onjuist)[,.!;][ \u2013-]{0,3}\S)",
        ),
        (
            "not right",
            0.9,
            r"(?<!wat )\bklopt (?:zo |helaas |toch |eigenlijk |echt |gewoon |hier |helemaal |ook |dus ){0,3}niet\b|\bklopt (?:van geen|geen)\b|\b(?:dat|dit|het|antwoord|aanname|bedrag|datum)\b[^.!?\n]{0,25}"
            r"\b(?:is|was|zijn|waren) (?:zo |helaas |toch |echt |gewoon |wel ){0,2}(?:niet (?:juist|correct|waar|helemaal juist|wat ik)|fout|onjuist|verkeerd|incorrect|onzin)\b"
            rf"|\b{_YOU} (?:zit|ziet|hebt|heb|heeft) (?:er |het |dat )?(?:hier |helemaal |toch )?(?:fout|mis|naast|verkeerd|bij het verkeerde)\b|\b{_YOU} zit ernaast\b|\b(?:heb|hebt|heeft) {_YOU} het (?:mis|fout|verkeerd)\b",
        ),
        (
            "I meant",
            0.9,
            r"(?<!wat )(?<!zoals )\bik (?:bedoelde|zei|bedoel(?! maar))\b|(?<!wat )\bik heb (?:je |jullie |u |dat |het |toch |al |nooit |niet |ook ){0,4}(?:gezegd|bedoeld|beweerd)\b"
            r"|\bheb ik (?:je |toch |al |nooit |niet |ook |helemaal ){0,4}(?:gezegd|bedoeld|beweerd)\b|\bzei ik (?:toch|al|niet|nooit)\b|\b(?:was|werd) bedoeld\b|\bbedoeld (?:was|werd)\b",
        ),
        (
            "takes back",
            0.8,
            rf"\b{_YOU} (?:verwart|verwisselt|vergist|vergiste|bent (?:in de war|abuis)|(?:hebt|heb|heeft) (?:je|u|zich) (?:vergist|misrekend|verlezen|verteld|verkeken))\b|\b(?:verwar|verwissel|vergis) je\b"
            rf"|\b(?:{_YOU} (?:haalt|gooit)|(?:haal|haalt|gooi|gooit) {_YOU}) [^.!?\n]{{1,40}} door elkaar\b|\bik (?:heb|had) (?:me"
            r"|mij) (?:\w{1,12} )?(?:vergist|vertypt|versproken|verschreven|verrekend|vertikt)\b|\bik vergis(?:te)? me\b"
            r"|<head>(?:correctie:|rectificatie:)|\bmijn fout[,:;.]|\b(?:precies|net|juist) (?:andersom|omgekeerd)\b|\bhet is andersom\b",
        ),
        (
            "not X but Y",
            0.9,
            rf"<sound>\b(?:niet|geen) (?!alleen|enkel|slechts|zozeer|echt|zo\b|meer\b|erg|heel|slecht|zeker|gelukt|perfect|goed)(?:[^.!?,\n]|[.,](?=\w)){{1,60}},? maar (?!{_CLAUSE}\b)",
        ),
        (
            "X, not Y",
            0.7,
            r"\b(?:is|zijn|heet|heten|heette|draait|draaien|loopt|lopen|ligt|liggen|staat|staan|hoort|horen|luidt|gebruikt|gebruiken|komt|komen|woont|woon|begint|wordt|(?:zeggen|schrijven|noemen) we)\b(?:[^.!?\n]|\.(?=\w)){1,60}"
            r"(?:, (?:en |dus )?(?:niet|geen) (?!alleen|meer|waar|zo\b|zeker|erg|heel|te\b|goed|echt|slecht|eens|dat\b|om\b|nodig|idee"
            r"|probleem)| en niet (?:de|het|een|op|in|bij|met|naar|van|om|aan|voor|als|via|onder)\b| en niet [\w.-]{1,30}\W{0,4}$)",
        ),
        ("instead", 0.6, r"<sound>(?:\bin (?:de )?plaats van\b|\bi\.p\.v\.|\bipv\b)"),
        (
            "no longer",
            0.7,
            r"<sound>(?:\bniet (?:meer|langer)\b(?! dan)|\bgeen [\w-]{1,30} meer\b|\b(?:verouderd|achterhaald|afgeschaft|opgeheven|vervallen)\b)",
        ),
        (
            "you did",
            0.7,
            rf"\b(?:{_YOU} (?:hebt|heb|heeft|had|bent)|(?:heb|hebt|heeft|had|ben|bent) {_YOU})\b[^.!?\n]{{0,60}}\b(?:verkeerde?"
            r"|fout|vergeten|over het hoofd gezien|gewist|verwijderd|genegeerd|verwisseld|overschreven|verzonnen|weggelaten|"
            rf"moeten)\b|\b{_YOU} (?:vergeet|vergat)\b",
        ),
        (
            "order not to",
            0.7,
            r"<head>(?:hou(?:d|dt)? (?:nou |nu |eens |alsjeblieft |aub ){0,2}op\b|stop (?:nou |nu |eens |alsjeblieft |aub ){0,2}met\b|(?:gebruik|neem|schrijf|maak|voeg|commit|push|wijzig|verander|zet|leg|bouw|doe|verwijder|vermeld)\b"
            r"[^.!?\n]{0,60}\b(?:geen|niet)\b(?! (?:vergeten|meer dan)))",
        ),
    ),
    saves=(
        (
            "remember",
            0.9,
            rf"(?<!ik )(?<!niet )\bonthoud?t?\b(?! (?:ik|jij|je|hij|zij|niemand)\b)|\b(?:(?:wil|wilt|kun|kan|kunt|zou) {_YOU}\b[^.!?\n]{{0,60}}|goed om te |voor u te )\bonthouden\b"
            r"|\bdenk er(?: ?aan| om)\b|\bhou(?:d|dt)? er(?: \w{1,12})? rekening mee\b|\bhou(?:d|dt)? [^.!?\n]{0,30}in (?:gedachten|het achterhoofd|je achterhoofd)\b"
            r"|(?<!ik )\bvergeet (?:alsjeblieft |aub |vooral |dus |zeker |ook |a\.u\.b\. )?niet\b|\bnoteer(?:t)?\b|\bschrijf (?:[^.!?:\n]{1,40} )?op(?=\W{0,3}$|[.:,;!]"
            r"|,? dat\b)|\bsla (?:dit |dat |het |even |maar |alsjeblieft ){0,3}op(?=:|,? dat\b)|\bprent [^.!?\n]{1,20} in\b|\bknoop [^.!?\n]{1,20} in (?:je|uw) oren\b"
            r"|\b(?:niet vergeten:|ter (?:info|informatie|herinnering|kennisgeving)\b|voor (?:je|jouw|uw) info(?:rmatie)?\b|fyi\b|belangrijk:|let op:|nota bene|voor later:|voor de volgende keer\b)",
        ),
        (
            "to memory",
            0.95,
            r"\b(?:sla|schrijf|noteer|voeg|zet|leg|neem|bewaar|vul|stop|steek|plaats|registreer)\b[^.!?\n]{0,80}"
            rf"\b(?:in|aan|bij|op|tot|onder) (?:(?:je|jouw|uw|de|het|mijn|onze) )?(?:\w{{1,20}} )?{_FILES}|\b(?:werk|update|pas)\b[^.!?\n]{{0,40}}\b(?:claude|agents|gemini|memory)\.md\b",
        ),
    ),
    decisions=(
        (
            "decided",
            0.9,
            r"\b(?:we|wij|ik|team|bestuur|directie)\b[^.!?\n]{0,70}\b(?<!zoals )(?<!als )(?:besloten|afgesproken|overeengekomen|gekozen|vastgelegd|afgeklopt"
            r"|eruit gekomen)\b|\b(?:heb|hebben|heeft|werd|is) [^.!?\n]{0,60}\bbeslist (?:om|dat)\b|\b(?:besloten|beslist|afgesproken|overeengekomen) (?:is|werd|wordt)\b"
            r"|\b(?:is|werd) (?:er )?(?:nu |dus )?(?:besloten|beslist|afgesproken|overeengekomen)\b|\b(?:het|dat|dit|daarmee) staat (?:nu |dus |dan |hiermee )?vast\b"
            r"|<head>(?:afgesproken|besloten|beslist)[:,;]|\b(?:besluit|beslissing)(?::| (?:is|luidt)\b)|\bknoop doorgehakt\b|\bkogel is door de kerk\b|\b(?:we|wij) zijn (?:het )?eruit\b",
        ),
        (
            "settled",
            0.7,
            r"\b(?:dat|het|dit|daarmee|onderwerp|zaak|afspraak|punt|datum|deal)\b (?:(?:is|zijn|was|staat|ligt) )?(?:(?:nu|dus|hiermee|dan|in ieder geval"
            r"|inmiddels) ){0,2}(?:definitief|rond(?=\W{0,4}$|[,.;:!])|in kannen en kruiken|beklonken|van tafel|van de baan|een uitgemaakte zaak|in steen gebeiteld)\b"
            r"|\bdan doen we (?:het|dat) (?:dus |nu |toch )?zo\b|\b(?:het|dan|dus|we|wij) (?:blijft|blijven|houden)(?: het| we)?(?: dus| nu| gewoon| voortaan)? (?:bij"
            r"|op)\b|\bhouden we het (?:dus |nu |gewoon )?(?:bij|op)\b|\b(?:we|wij) doen (?:het|dat) (?:nu |dus |voortaan |vanaf \w{1,12} )?(?:met|zo|zonder|via)\b"
            r"|\b(?:(?:we|wij) (?:gaan|kiezen|opteren)|(?:gaan|kiezen) (?:we|wij)|ik (?:ga|kies|opteer)|(?:ga|kies) ik) (?:dan |dus |toch |uiteindelijk |definitief "
            r"|gewoon ){0,2}voor\b(?! (?:een (?:wandeling|ritje)|jou|het eerst)\b)|\b(?:keuze|keus) (?:is|valt|viel) (?:gevallen )?op\b|\bhet wordt (?:dus|toch|uiteindelijk|definitief)\b",
        ),
        (
            "we do",
            0.6,
            r"\b(?:we|wij) (?:gebruiken|nemen|blijven bij|blijven op|stappen over|schakelen over|stappen af|switchen|zetten in op|deployen|hosten|committen|mergen|"
            r"bewaren|draaien op|werken met|werken op|zien af van|stoppen met|gaan niet (?:meer |langer )?verder met)\b|\b(?:gebruiken|nemen|deployen|hosten|committen|mergen|bewaren) (?:we|wij)\b|\b(?:stappen|schakelen) we (?:\w{1,12} ){0,2}over\b",
        ),
        (
            "goal",
            0.7,
            r"\b(?:het |de )?(?:doel|plan|regel|conventie|afspraak|vereiste|richtlijn|bedoeling) (?:is|was|luidt)\b",
        ),
    ),
    facts=(
        (
            "is",
            0.6,
            r"\bik ben (?:\w{1,12} )?(?:allergisch|veganist\w{0,3}|vegan|vegetari[eë]r|vegetarisch|diabeet|diabeticus|kleurenblind|lactose-?intolerant|dyslectisch|linkshandig|slechthorend|doof)\b"
            r"|\bik heb (?:\w{1,12} )?(?:coeliakie|diabetes|suikerziekte|dyslexie|adhd|astma|[\w-]{3,20}allergie|[\w-]{3,20}intolerantie)\b",
        ),
    ),
    lasting=(
        (
            "from now on",
            0.85,
            r"\bvanaf (?:nu|vandaag|heden)\b|\bvan nu af\b|\bvoortaan\b|\bin (?:de toekomst|het vervolg)\b|\bvoor de volgende keer\b|<head>(?:de )?volgende keer (?:graag|wil|moet|niet|eerst|liever|gewoon|meteen)\b",
        ),
        (
            "always",
            0.7,
            rf"<sound>^(?![^\n]{{0,80}}\b(?:{_YOU}|jullie) (?!moet|mag|dient|hoort|hoeft)\w{{1,20}} (?:\w{{1,20}} )?(?:altijd|nooit|steevast)\b)[^\n]*?"
            r"(?<!zoals )(?<!al )(?<!als )\b(?:altijd(?! (?:nog|al\b|weer|meer|minder|beter|zo\b|leuk|fijn|welkom|handig|lastig|raak))|"
            r"nooit(?! (?:gezien|gehoord|gedacht|geweten|van gehoord|geweest))|te allen tijde|onder geen beding|in geen geval|steevast)\b",
        ),
        (
            "let's keep to",
            0.7,
            r"\blaten we\b[^.!?\n]{0,60}\b(?:nemen|gebruiken|blijven|houden|overstappen|overschakelen|afzien|kiezen|voor gaan)\b",
        ),
    ),
    preferences=(
        (
            "to be called",
            0.7,
            r"\bnoem (?:me|mij)\b(?! (?:maar )?(?:gek|ouderwets|naïef|een\b|er\b|eens\b|wat\b|drie|vijf))|\b(?:tutoyeer|vousvoyeer) (?:me|mij|ons)\b|\b(?:me|mij|ons) (?:gerust "
            r"|gewoon |maar )?(?:tutoyeren|vousvoyeren|met (?:je|jij|u|jou) aanspreken)\b|\bspreekt? (?:me|mij)\b[^.!?\n]{0,20}\baan\b|\bzeg (?:maar |gerust |gewoon ){1,2}(?:je"
            r"|jij|u)\b|\b(?:je|jij|u|iedereen) (?:mag|kan|kunt|noemt) (?:me|mij) (?:\w{1,20} ){1,3}noemen\b|\b(?:mag|kun|kunt) (?:je|u) (?:me|mij) (?:\w{1,20} ){1,3}noemen\b",
        ),
        (
            "is and does not",
            0.6,
            r"\bik (?:eet|drink|rook|verdraag|lust|wil|draag|neem) (?:\w{1,12} )?(?:geen|nooit|niets|niks)\b"
            rf"|\bik lust (?:\w{{1,12}} ){{0,2}}niet\b|\bik kan (?:niet|geen [\w-]{{2,20}}|slecht) (?:verdragen\b|tegen\b)|\bik wil niet dat {_YOU}\b",
        ),
        (
            "not without",
            0.6,
            r"\bzonder (?:(?:het |eerst )?(?:me |mij )?(?:eerst )?te vragen|overleg|toestemming|goedkeuring|akkoord|mijn (?:ok|oké|akkoord"
            r"|toestemming|goedkeuring|medeweten))\b|\bvraag (?:me |mij |het )?(?:me )?(?:alsjeblieft )?(?:altijd |eerst |vooraf |liever ){1,2}"
            rf"|\b(?:{_YOU} hoeft|hoef {_YOU}) (?:me |mij |het |dat |je ){{0,2}}(?:niet|niets|niks|geen)\b[^.!?\n]{{0,40}}\b(?:uitleggen"
            r"|uit te leggen|vragen|verontschuldigen|excuseren|bevestigen|herhalen|samenvatten|samen te vatten)\b"
            r"|<head>(?:geen (?!idee|probleem|zin|tijd|dank|zorgen|paniek|reactie|verschil|resultaat|stress)|(?:enkel|alleen|uitsluitend) (?!op\b"
            r"|bij\b|als\b|maar\b|in\b|de\b|het\b|ik\b|dat\b|die\b|nog\b|voor\b)|nooit )[^.!?\n]{3,60}\b(?:in|bij|op|als|zonder)\b",
        ),
        (
            "taste",
            0.7,
            r"\bik (?:verkies|prefereer|haat|verafschuw)\b(?! (?:dat|dit|deze|het|je)\b)|\bik heb (?:een )?(?:\w{1,12} )?hekel aan\b|\bik (?:hou|houd) (?:\w{1,12} ){0,3}van\b(?! (?:dat"
            r"|deze|dit|je|jou|u|het idee)\b)|\bik ben (?:een |geen )?(?:\w{1,12} )?(?:fan van|liefhebber van|dol op|gek op|verzot op)\b(?! (?:dit|dat|deze|die|je|jou)\b)"
            r"|\bik [^.!?\n]{1,30}\bliever\b|\b(?:heb|had|zie|lees|krijg|wil|gebruik|werk|eet|drink|reis|betaal|zit|ga) ik (?:\w{1,20} ){0,3}liever\b|\bik (?:heb|zie|lees"
            r"|krijg) (?:\w{1,12} )?(?:het )?(?:niet )?graag (?:dat|wanneer|als)\b|\bhet liefste?\b|\bliefst\b|\bliever\b[^.!?\n]{1,60}\bdan\b|<head>liever (?:geen|niet te|gewoon|kort|een|zonder|met|in)\b"
            r"|\bmijn (?:voorkeur|favoriete?)\b|\bik geef (?:\w{1,12} )?de voorkeur\b|\bik vind (?!dit\b|dat\b|het\b|deze\b|die\b)[^.!?\n]{1,40} (?:fijner|prettiger|irritant|vervelend|storend|prettig|vies|lekkerder)\b",
        ),
        (
            "kept simple",
            0.6,
            r"\bhou(?:d|dt)? (?:\w{1,20} ){1,3}(?:simpel|eenvoudig|kort|beknopt|bondig|klein|strak|zakelijk|luchtig)\b|\bkort en (?:bondig|krachtig)\b|\b(?:niets|niks) (?:bijzonders|speciaals|ingewikkelds)\b"
            r"|\bantwoord(?:en)?\b[^.!?\n]{0,20}\bte (?:lang|uitgebreid|uitvoerig|langdradig|wollig)\b",
        ),
        (
            "use X",
            0.6,
            r"<head>(?:gebruik|hanteer|gebruikt u)\b[^.!?\n]{1,80}\b(?:voor(?! (?:deze|dit|die|dat|nu)\b)|overal|bij|in alle|alleen|enkel)\b|<head>(?:antwoord|schrijf|reageer|praat|spreek) "
            r"(?:me |mij )?(?:in het|op zijn|in) \w{1,20}s\b",
        ),
    ),
)
