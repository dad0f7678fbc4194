"""Evidence of German; `weights.py` says what each group is for, `phrases.py` how a phrase is written."""

LEADS = """ok okay ja und aber auch also ach oh äh ähm hm hmm bitte mal doch noch gut genau klar super danke moment hey hör hört
    übrigens nochmal so naja na dann jetzt sorry"""

GROUPS = {
    "memo": """
        merk dir | merke dir | merken | merk | notier* | ^notiz | vermerk* | schreib .. auf | halt .. fest | festhalten |
        zur info | zur kenntnis | fürs nächste mal | für später | für die zukunft | für künftige | vergiss nicht |
        nicht vergessen | denk daran | denk dran | denke daran | behalt | behalte | speicher dir | speichere dir |
        speicher .. ab | damit du | damit du's | nur damit | wichtig : | ^wichtig | ^info | ^hinweis | gut zu wissen | zu wissen |
        wissenswert | in deine notizen | ins gedächtnis | in den hinterkopf | im hinterkopf | zu den akten | nimm .. auf |
        für die akten | als merkposten | falls du | falls es | wenn's wieder | wirst du noch brauchen | brauchst du noch |
        fürs protokoll | zur erinnerung | hinterleg* | nebenbei | übrigens | am rande | wenn jemand fragt | wenn ich frage""",
    "lasting": """
        immer | nie | niemals | jede | jeder | jedes | jedem | jeden | jedesmal | alle | allen | aller | alles | überall |
        grundsätzlich | generell | stets | ab jetzt | ab sofort | ab heute | ab morgen | von nun an | von jetzt an | künftig |
        zukünftig | in zukunft | ausnahmslos | ohne ausnahme | egal | egal wie | dauerhaft | prinzipiell | seit jeher |
        bis auf weiteres | höchstens | maximal | mindestens | nur noch | nur | ausschließlich | standardmäßig | sobald | solange |
        außer | es sei denn | durchgehend | von anfang an | ein für alle mal | für immer | seit jahren | seit anfang an |
        keinesfalls | auf keinen fall | ab januar | ab märz | ab april | ab mai | ab juni | ab juli | ab august | ab september |
        ab oktober | ab november | ab dezember | ab montag | ab nächster | ab nächstem | ab herbst | ab sommer | normalerweise |
        in der regel | üblicherweise | meistens | keine | kein | keinen""",
    "calendar": """
        montags | dienstags | mittwochs | donnerstags | freitags | samstags | sonntags | werktags | wochenends | am wochenende |
        täglich | wöchentlich | monatlich | jährlich | jeden montag | jeden sonntag | jeden abend | jede nacht | jede woche |
        jeden monat | jedes jahr | nachts | morgens | abends | mittags | nachmittags | vormittags | zum monatsende | pro woche |
        pro monat | im jahr | einmal im | zweimal im | im winter | im sommer | quartal""",
    "must": """
        nicht vor | erst ab | nur mit | nur nach | nur über | ohne meine | ohne mein | braucht erst | vorher fragen |
        vorher anrufen | rührt .. an | fass | muss | müssen | darf | dürfen | soll | sollen | sollte | sollten | gehört |
        gehören | kommt in | kommen in | kommt ins | kommen ins | kommt auf | kommt zuerst | kommt vor | geht nur | gehen nur |
        geht an | gehen an | verboten | erlaubt | nicht erlaubt | tabu | pflicht | verpflichtend | nötig | erforderlich |
        bevor du | ehe du | ohne rückfrage | ohne absprache | frag mich | frag vorher | frag erst | finger weg | reserviert |
        reicht | reichen | genügt | genügen | brauchst du nicht | brauchst nicht | hat zu | haben zu | ist zu | sind zu |
        erwarte | bleibt | bleiben""",
    "objects": """
        antworten | antwort | nachrichten | commits | tests | branches | namen | variablen | funktionen | mails | e-mails |
        briefe | briefen | berichte | tabellen | listen | überschriften | titel | daten | preise | preisen | einheiten |
        beispiele | skripte | prs | tickets | absätze | sätze | emojis | smileys | links | quellen | rezepte | rezepten |
        kommentare | zahlen | code | folien | entwürfe | rechnungen | texte | texten | übersetzungen | fachbegriffe |
        abkürzungen | floskeln | komplimente | entschuldigungen | erklärungen | zusammenfassungen | beschreibungen | vorschläge |
        fragen | rückfragen | commit-nachrichten | aufzählungen | stichpunkte | stichpunkten | stichworte | spiegelstriche |
        anführungszeichen | fußnoten | passwörter | termine | terminen | flüge | hotels | restaurants | diagramme | kilometer |
        gramm | vornamen | nachnamen | deutsch | englisch | anglizismen""",
    "with you": """
        wenn du | falls du | bevor du | für mich | mit mir | mir gegenüber | an mich | sobald du | immer wenn | wenn ich dich |
        wenn ich frage | wenn ich nach | deine antworten | deinen antworten | deine texte | deine zusammenfassungen |
        deine erklärungen | von dir | bei dir | schreibst du | du mir""",
    "own": """
        wir | uns | unser | unsere | unserem | unseren | unserer | unseres | bei uns | das team | im team | in der firma |
        im büro | zu hause | daheim | hier | im verein | in der praxis | in der schule | im projekt | im haus | im repo""",
    "mine": """
        mein | meine | meinem | meinen | meiner | meines | ich bin | ich habe | ich wohne | ich arbeite | ich fahre | ich spreche |
        ich heiße""",
    "me": """
        ich wohne | ich arbeite | ich unterrichte | ich studiere | ich vertrage | ich heiße | ich spreche | ich fahre |
        ich bin allergisch | ich bin von beruf | ich leite | ich betreue | ich esse | ich trinke | ich trage | ich schlafe |
        ich lebe | ich komme aus | ich bin aus | ich habe zwei | ich habe drei | ich habe eine | ich habe einen |
        ich bin verheiratet | ich bin geschieden | ich bin rentner | ich bin linkshänder | ich leide | vertrage ich | wohne ich |
        arbeite ich | unterrichte ich | ich kann kein | ich kann keine | wir sind ein | wir sind eine | wir sind zu""",
    "for me": """für mich | mir | mit mir""",
    "people": """
        frau | herr | mann | sohn | tochter | mutter | vater | mama | papa | schwester | bruder | chef | chefin | partner |
        partnerin | kind | kinder | zwillinge | oma | opa | tante | onkel | enkel | schwiegermutter | kollege | kollegin |
        nachbar | nachbarin | vermieter | vermieterin | steuerberater | steuerberaterin | zahnarzt | hausarzt | arzt | ärztin |
        tierarzt | dr | katze | kater | hund | pferd | geburtstag | kundennummer | allergisch | allergie | allergiker |
        unverträglichkeit | diabetes | diabetiker | vegan | vegetarisch | veganerin | vegetarierin | schwerhörig | taub | blind |
        schwanger | laktose | gluten | nüsse | nüssen | heißt | nennt | hausmeister""",
    "systems": """
        server | datenbank | produktion | repo | cluster | schnittstelle | api | cronjob | job | pipeline | build | branch |
        port | host | vpn | proxy | firewall | zertifikat | token | schlüssel | passwort | wlan | router | drucker | scanner |
        backup | backups | sicherung | domain | konfiguration | mandant | schema | tabelle | cache | bibliothek | docker |
        postgres | mysql | version | lizenz | lieferant | vertrag | rechnung | büro | lager | tür | code | tor | raum |
        alarmanlage | garage | heizung | zähler | budget | frist | konto | dienst | kostenstelle | kasse""",
    "states": """
        ist | sind | hat | haben | wohnt | läuft | laufen | liegt | liegen | steht | stehen | heißt | heißen | kostet | kosten |
        öffnet | schließt | beginnt | endet | gilt | gelten | braucht | brauchen | gehört | gehören | kommt | kommen | nimmt |
        akzeptiert | unterstützt | arbeitet | arbeiten | macht | übernimmt | zuständig | kümmert sich | betreut | leitet | nutzt |
        nutzen | verwendet | verwenden | spricht | lebt | isst | trinkt | mag | schläft | erwartet | hängt | bekommt | kriegt |
        kann | können | wird | werden | gibt | gibt's | findet | sitzt | reagiert | verträgt | unterschreibt | hört auf | trägt |
        startet | funktioniert nur | geht nur | will | wollen""",
    "contrast": """
        , nicht | und nicht | sondern | statt | anstatt | anstelle | nicht mehr | früher | inzwischen | mittlerweile | jetzt |
        seit | nicht der | nicht die | nicht das | nicht am | nicht im | nicht in | nicht um | nicht an | nicht auf | doch nicht |
        eigentlich | in wirklichkeit | tatsächlich | umbenannt | umgezogen | ersetzt | abgelöst | abgeschafft | weg | ehemalige |
        alte | alten | ist nicht | sind nicht | war nicht | hat nicht | heißt nicht | kein | keine | aber | längst | das war |
        war das | vorher | und zwar""",
    "denies": """
        das war der alte | das war die alte | ist der alte | ist die alte | schau noch | verschrieben | vertippt |
        der stand ist veraltet | stand ist alt | du rechnest mit | ^moment , | eben nicht | und nicht etwa | ^nein | ^nee | ^nö |
        ^falsch | ^stimmt nicht | stimmt nicht | stimmt so nicht | stimmt nicht ganz | nicht ganz | ^quatsch | ^unsinn | ^fast |
        ^moment | ^halt | ^korrektur | irrst | irrtum | irrtümlich | verwechsel* | vertan | verlesen | verrechnet | falsch |
        veraltet | überholt | nicht richtig | nicht korrekt | das war einmal | so nicht | woher hast du | wer sagt |
        wie kommst du | gibt's nicht | gibt es nicht | habe ich nie | hab ich nie | nie gesagt | nicht gemeint | umgekehrt |
        andersrum | missverst* | daneben | ^eben nicht | ^doch""",
    "you did": """
        du hast | hast du | du hattest | du schreibst | du sagst | du nimmst | du verwendest | du benutzt | du machst | du gehst |
        du rechnest | du meinst | du denkst | du nennst | du setzt | du bringst | du vergisst | deine zahl | dein datum |
        deine liste | dein entwurf | deine version | dein text | wie du | von dir | du verwechselst | du lässt""",
    "lesson": """
        letztes mal | beim letzten | letztes jahr | letzten monat | letzte woche | gelernt | lehre | lektion |
        stellte sich heraus | herausgestellt | reingefallen | gekostet | verloren | ging schief | schiefgegangen | sonst |
        ansonsten | deshalb | darum | deswegen | daher | also bitte | also immer | also nie | geplatzt | zurückgekommen |
        blamiert | passiert mir nicht | zweimal passiert | aufgepasst | achtung | vorsicht | war ein fehler""",
    "settles": """
        wir behalten | behalten wir | ich behalte | thema durch | abgenickt | durchgewunken | punkt $ | wir stellen |
        stellen wir | wir bauen | wird gebaut | ziehen wir | wir führen .. ein | führen wir | nehme den | nehme die | nehme das |
        zieht um | zugestimmt | den zuschlag | geht in rente | aufgegeben | wir schließen | wird ersetzt | wird abgeschaltet |
        abgeschaltet | abgelehnt | angenommen | entschieden | beschlossen | geeinigt | vereinbart | festgelegt | ausgemacht |
        abgemacht | beschluss | entscheidung | abgestimmt | einstimmig | gewählt | fix | endgültig | steht fest | ist durch |
        vom tisch | wir nehmen | nehmen wir | ich nehme | wir bleiben | bleiben wir | bleiben bei | bleibt es | es wird | wird's |
        wird es | wir wechseln | wir stellen .. um | umstellen | umgestellt | wir ziehen | wir kaufen | wir verkaufen |
        wir kündigen | gekündigt | gebucht | unterschrieben | unterzeichnet | zugesagt | abgesagt | wir verzichten |
        verzichten auf | wir steigen | umsteigen | fliegt raus | fliegen raus | ist raus | ist gestrichen | gestrichen |
        wird abgeschafft | machen wir | wir machen | dann also | genehmigt | freigegeben | verschoben | wir werden |
        ich werde .. nicht mehr | kommt weg | setzen auf | setzen wir | geht an | gewonnen | lassen wir | wir lassen | bewilligt |
        hat ja gesagt | anzahlung ist | ist bestellt | ist gebucht | name bleibt""",
    "tastes": """
        überfordern | überfordert | langweilt | langweilen | kommt für mich nicht | komm .. zum punkt | ohne drumherum |
        nicht so | mir lieber | bitte gleich | für mich nicht | ist nichts für mich | lieber | am liebsten | bevorzuge |
        bevorzugt | ich mag | ich liebe | ich hasse | nicht leiden | nervt | stört mich | nerven | gefällt mir | zu lang |
        zu kurz | zu ausführlich | zu förmlich | zu steif | zu viel | zu viele | macht mich | mir reicht | reicht mir |
        reichen mir | ist mir lieber | sind mir lieber | kürzer | knapp | knapper | kurz | schlicht | einfach | direkt | ohne |
        weniger | bitte keine | bitte kein | bitte nicht | bitte nur | keine .. mehr | kein .. mehr | duz | duze | siez | sieze |
        nenn mich | per du | ich esse | ich trinke | ich vertrage | ich will | ich möchte | ich hätte gern | ich brauche keine |
        lass .. weg | weglassen | spar dir | erspar mir | verschon | hör auf | auf den punkt | stichpunkte | statt | mein stil |
        ich lese | ich denke in | für mich | mit mir | kann ich nicht ab | geht mir auf""",
    "order": """
        ^nutze | ^nutz | ^verwende | ^benutze | ^benutz | ^nimm | ^schreib | ^schreibe | ^antworte | ^gib | ^zeig | ^zeige |
        ^frag | ^frage | ^sag | ^mach | ^mache | ^füge | ^leg | ^lege | ^lass | ^fang | ^formuliere | ^runde | ^rechne | ^nenn |
        ^nenne | ^halt | ^halte | ^keine | ^kein | ^nie | ^niemals | ^immer | ^nur | ^duz | ^hör auf | ^bitte | ^achte |
        ^verzichte | ^vermeide | ^spar | ^buche | ^buch | ^plane | ^setz | ^beginne | ^ende | ^warte | ^sprich | ^erkläre | ^bei |
        ^in""",
    "task": """
        ^übersetz* | ^fass | ^fasse | ^korrigier* | ^formulier* | ^entwirf | ^verfass* | ^schreib mir | ^schreib eine |
        ^schreib einen | ^schreib ein | ^schreibe eine | ^schreibe einen | ^schreibe ein | ^erklär* | ^gib mir | ^zeig mir |
        ^sag mir | ^such | ^suche | ^finde | ^mach mir | ^mach eine | ^mach einen | ^mach aus | ^erstell* | ^berechne | ^rechne |
        ^vergleich* | ^hilf | ^schau | ^prüf* | ^lies | ^kürz* | ^nenn mir | ^nenne mir | ^plan | ^plane | ^lösch* | ^benenn* |
        ^änder* | ^ergänz* | ^füg | ^füge | ^stell | ^stelle | ^bau | ^baue | ^teste | ^start* | ^führ* | ^kannst | ^könntest |
        ^würdest | ^magst | ^ich brauche | ^wir brauchen | ^ich hätte gern | ^lass uns | ^lass mich | ^ich will | ^ich möchte |
        ^was | ^wie | ^warum | ^wieso | ^welche* | ^wer | ^wann | ^wo | ^ist | ^sind | ^hat | ^haben | ^soll | ^sollen | ^gibt |
        ^wäre | ^denk dir | ^stell dir | ^schlag""",
    "the one": """
        die datei | diese datei | der funktion | die funktion | diese funktion | diesen absatz | diesem absatz | der absatz |
        den text | dieser text | diesen text | die mail | diese mail | dieser mail | der brief | den brief | diesen brief |
        dem brief | das skript | dieses skript | den code | diesen code | diesen test | die tests | den fehler | diese liste |
        die tabelle | diese tabelle | unten | oben | folgende | folgenden | diese seite | das log | den branch | den commit |
        diese zeile | zeile | diesen satz | kapitel | anhang | hier drin""",
    "now": """
        heute | morgen früh | jetzt gleich | diesmal | dieses mal | nur diesmal | ausnahmsweise | nur hier | nur für | gerade |
        momentan | im moment | aktuell | gestern | vorhin | nachher | später noch | erstmal | erst mal | vorerst | fürs erste |
        noch nicht | nächste woche | nächsten montag | diese woche | gleich | bis morgen | heute abend | einmalig""",
    "trouble": """
        etwas stimmt nicht | was stimmt .. nicht | irgendwas stimmt | etwas falsch | fehler | fehlermeldung | abgestürzt |
        stürzt | hängt | kaputt | funktioniert nicht | geht nicht | gehen nicht | klappt nicht | läuft nicht | startet nicht |
        lädt nicht | spinnt | meldet | schon wieder | dauernd | langsam | rot | warnung | absturz | klemmt | blinkt | piept |
        tropft | keine ahnung | plötzlich | was kann | woran""",
    "doubt": """
        vielleicht | eventuell | möglicherweise | könnte | könnten | würde | würden | wäre | wären | hätte | hätten | wenn wir |
        falls wir | angenommen | überlege | überlegen | überlegt | nicht sicher | unsicher | weiß nicht | weiß noch nicht |
        noch nicht entschieden | unentschieden | ob | irgendwann | eines tages | wahrscheinlich | vermutlich | glaube | schätze |
        hoffe | hoffentlich | mal sehen | schwanke | zögere | laut gedacht | was wäre | mal angenommen | sollen wir |
        sollten wir | soll ich""",
    "said": """
        sagt | sagte | meint | meinte | schreibt | schrieb | behauptet | erzählt | erzählte | fragt | fragte | laut | gemäß |
        zitat | rezension | bewertung | kunde | kundin | gast | der kollege schreibt | angeblich | er | sie sagt | steht in |
        stand in | überschrift | artikel""",
    "thanks": """
        danke | so geduldig | so nett | auf dich | rettest | verlass | dankeschön | vielen dank | super | toll | prima | klasse |
        hallo | hi | guten morgen | guten tag | moin | servus | tschüss | schönen | wie geht's | wie geht | haha | lol | cool |
        perfekt | gut gemacht | hat geklappt | gute nacht | müde | wetter | regnet | wochenende | freue | freut""",
    "story": """
        ich habe gerade | ich hab gerade | ich war | ich bin gerade | ich habe .. versucht | ich habe .. gemacht | ich ging |
        ich bekam | ich sitze | ich muss | ich warte | ich arbeite gerade | wir waren | wir hatten | ich hatte | ich suche |
        ich versuche | mir ist | ich bekomme""",
    "intent": """
        ich will | ich möchte | ich werde | lass uns | lasst uns | wir müssen | ich muss | ich brauche | wir brauchen |
        wir sollten | mach weiter | leg los | fang an | ich versuche | ich wollte""",
    "chat": """
        schön | schöne | schönes | gefällt mir besser | sieht gut aus | wunderbar | genial | freue mich | freut mich | spannend |
        viel glück | viel erfolg | gute idee | macht sinn | klingt | fühlt | stolz | großartig | lustig | liebe grüße""",
    "points": """das | dies | diese | dieser | dieses | diesem | es | so""",
    "fiction": """film | buch | roman | lied | spiel | gedicht | geschichte | figur | märchen | witz | rätsel | kapitel | szene | quiz""",
}
