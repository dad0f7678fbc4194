"""Evidence of Dutch; `weights.py` says what each group is for, `phrases.py` how a phrase is written."""

LEADS = """ok oké oke okay ja en maar ook dus ach oh o ah eh uh hm hmm tja nou alsjeblieft alstublieft aub even eens nog goed prima
    precies duidelijk super top bedankt dank merci moment momentje hey hé hoi trouwens nogmaals zo dan nu sorry wacht zeg hoor graag
    allee inderdaad"""

GROUPS = {
    "memo": """
        onthoud | onthou | onthoudt | onthouden | noteer* | ^notitie | ^nota | schrijf .. op | schrijf op |
        opschrijven | leg .. vast | vastleggen | ter info | ter informatie | ter kennisgeving | ter herinnering |
        voor je info | voor uw info | voor later | voor de volgende keer | voor de toekomst | vergeet niet |
        vergeet .. niet | niet vergeten | denk eraan | denk er aan | denk erom | denk er om | bewaar | bewaren |
        sla .. op | sla op | opslaan | zodat je | zodat u | dan weet je | dan weet u | dat je het weet | belangrijk : |
        ^belangrijk | ^info | ^fyi | let op : | ^let op | ^nb | goed om te weten | handig om te weten | moet je weten |
        moet u weten | in je notities | in je geheugen | in het geheugen | in je achterhoofd | in het achterhoofd |
        hou .. in gedachten | houd .. in gedachten | hou .. bij | houd .. bij | hou er rekening | houd er rekening |
        rekening mee | voor het geval | mocht je | mocht u | mocht het | mocht iemand | als het weer |
        heb je nog nodig | nog nodig hebben | voor de duidelijkheid | voor de goede orde | voor alle duidelijkheid |
        voor de administratie | tussen haakjes | overigens | trouwens | terzijde | als iemand vraagt | als ik vraag |
        knoop .. in je oren | prent .. in""",
    "lasting": """
        altijd | nooit | elke | elk | iedere | ieder | telkens | alle | alles | overal | steevast | in principe |
        vanaf nu | vanaf vandaag | vanaf heden | vanaf morgen | van nu af | voortaan | in het vervolg | in de toekomst |
        zonder uitzondering | ongeacht | hoe dan ook | permanent | al jaren | sinds jaar en dag | tot nader order |
        hoogstens | hooguit | maximaal | minstens | minimaal | ten minste | op zijn minst | alleen nog |
        alleen nog maar | alleen | enkel | enkel nog | uitsluitend | standaard | zodra | zolang | behalve | tenzij |
        te allen tijde | van begin af aan | voor eens en altijd | voorgoed | in geen geval | onder geen beding |
        absoluut niet | vanaf januari | vanaf februari | vanaf maart | vanaf april | vanaf mei | vanaf juni |
        vanaf juli | vanaf augustus | vanaf september | vanaf oktober | vanaf november | vanaf december |
        vanaf maandag | vanaf volgende | met ingang van | normaal | normaal gezien | normaliter | doorgaans |
        gewoonlijk | meestal | in de regel | geen enkele | geen""",
    "calendar": """
        's maandags | maandags | 's woensdags | 's zondags | zondags | op maandag | op dinsdag | op woensdag |
        op donderdag | op vrijdag | op zaterdag | op zondag | doordeweeks | in het weekend | in het weekeinde |
        dagelijks | wekelijks | maandelijks | jaarlijks | elke maandag | elke dinsdag | elke woensdag | elke donderdag |
        elke vrijdag | elke zaterdag | elke zondag | elke dag | elke avond | elke ochtend | elke nacht | elke week |
        elke maand | elk jaar | elk kwartaal | iedere dag | iedere week | iedere maand | ieder jaar | 's nachts |
        's ochtends | 's morgens | 's avonds | 's middags | s nachts | s ochtends | s morgens | s avonds | s middags |
        maandagochtend | woensdagmiddag | vrijdagmiddag | maandagmiddag | maandagnamiddag | maandagavond |
        dinsdagochtend | dinsdagmiddag | dinsdagnamiddag | dinsdagavond | woensdagochtend | woensdagnamiddag |
        woensdagavond | donderdagochtend | donderdagmiddag | donderdagnamiddag | donderdagavond | vrijdagochtend |
        vrijdagnamiddag | vrijdagavond | zaterdagochtend | zaterdagmiddag | zaterdagnamiddag | zaterdagavond |
        zondagochtend | zondagmiddag | zondagnamiddag | zondagavond | eind van de maand | einde van de maand |
        van de maand | van elke maand | elke eerste | om de week | om de twee weken | per week | per maand | per jaar |
        een keer per | één keer per | twee keer per | in de winter | in de zomer | kwartaal""",
    "must": """
        niet voor | pas vanaf | pas na | alleen met | alleen na | alleen via | enkel via | zonder mijn |
        zonder te vragen | eerst vragen | vooraf vragen | eerst bellen | eerst overleggen | blijf van | afblijven |
        moet | moeten | mag | mogen | dient | dienen | hoort | horen | zou moeten | zouden moeten | komt in | komen in |
        komt op | komen op | komt eerst | komt voor de | gaat eerst | gaat via | gaan via | loopt via | lopen via |
        gaat naar | gaan naar | verboten | verboden | toegestaan | niet toegestaan | taboe | verplicht | verplichte |
        noodzakelijk | vereist | voordat je | voordat u | voor je iets | zonder overleg | zonder toestemming |
        vraag me | vraag mij | vraag eerst | vraag het eerst | handen af | gereserveerd | volstaat | volstaan |
        is genoeg | zijn genoeg | is voldoende | hoef je niet | hoeft u niet | je hoeft niet | u hoeft niet |
        hoeft niet | hoeven niet | ik verwacht | blijft | blijven""",
    "objects": """
        antwoorden | antwoord | berichten | commits | commitberichten | commit-berichten | commitmessages |
        commit-messages | tests | testen | branches | namen | variabelen | functies | mails | mailtjes | e-mails |
        brieven | rapporten | verslagen | tabellen | lijsten | lijstjes | koppen | kopjes | titels | data | datums |
        datum | prijzen | bedragen | eenheden | voorbeelden | scripts | prs | pull requests | tickets | alinea's |
        alinea | zinnen | emoji's | emoji | emojis | smileys | links | linkjes | bronnen | recepten | commentaar |
        opmerkingen | getallen | cijfers | code | slides | dia's | ontwerpen | concepten | facturen | offertes |
        teksten | vertalingen | vaktermen | afkortingen | clichés | complimenten | excuses | uitleg | samenvattingen |
        samenvatting | beschrijvingen | voorstellen | suggesties | vragen | tegenvragen | opsommingen | opsomming |
        bullets | bulletpoints | bullet points | steekwoorden | streepjes | aanhalingstekens | uitroeptekens |
        voetnoten | wachtwoorden | afspraken | vluchten | hotels | restaurants | grafieken | diagrammen | kilometers |
        gram | voornamen | achternamen | nederlands | vlaams | engels | frans | anglicismen | leenwoorden | endpoints |
        migraties | releases | bijlagen | foto | logs | koppelteken | komma | euroteken | lappen tekst | jargon""",
    "with you": """
        als je | als u | wanneer je | wanneer u | voordat je | voordat u | voor mij | met mij | tegen me | tegen mij |
        naar mij toe | aan mij | zodra je | zodra u | telkens als | als ik je | als ik u | als ik vraag | als ik om |
        wanneer ik | je antwoorden | jouw antwoorden | uw antwoorden | je teksten | je samenvattingen | je uitleg |
        je mails | van jou | van u | bij jou | schrijf je | je me | je mij | u me | u mij | me aan | mij aan""",
    "own": """
        we | wij | ons | onze | bij ons | het team | in het team | op het werk | op kantoor | in het bedrijf | thuis |
        hier | in de club | bij de vereniging | in de praktijk | op school | in het project | in huis | in de repo |
        hier op | hier in""",
    "mine": """
        mijn | m' n | mijne | ik ben | ik heb | ik woon | ik werk | ik rij | ik spreek | ik heet | ik gebruik""",
    "me": """
        ik woon | ik werk | ik geef les | ik studeer | ik verdraag | ik heet | ik spreek | ik rij | ik ben allergisch |
        ik ben van beroep | ik leid | ik begeleid | ik eet | ik drink | ik draag | ik slaap | ik leef | ik kom uit |
        ik ben van | ik heb twee | ik heb drie | ik heb een | ik ben getrouwd | ik ben gescheiden |
        ik ben gepensioneerd | ik ben met pensioen | ik ben linkshandig | ik ben een | ik ben verpleegkundige |
        ik ben leraar | ik ben lerares | ik ben zelfstandige | ik ben zzp'er | ik ben freelancer |
        ik ben verantwoordelijk | ik lijd aan | ik heb last van | ik lust | woon ik | werk ik | geef ik les |
        ik kan geen | ik kan niet tegen | ik speel | ik zing | ik train | ik run een | ik loop stage | ik volg een |
        ik mag geen | we zijn met | we zijn een | we wonen | wij wonen | ik zit in groep | ik ben opgegroeid |
        ik ben geboren""",
    "for me": """voor mij | voor me | me | mij | met mij""",
    "people": """
        vrouw | man | meneer | mevrouw | dhr | mevr | zoon | dochter | moeder | vader | mama | papa | ma | pa | zus |
        zusje | broer | broertje | baas | bazin | partner | vriend | vriendin | verloofde | kind | kinderen | tweeling |
        baby | oma | opa | bomma | bompa | tante | oom | nonkel | neef | nicht | kleinzoon | kleindochter |
        kleinkinderen | schoonmoeder | schoonvader | schoonouders | ouders | collega | leidinggevende | manager |
        buurman | buurvrouw | buren | huisbaas | verhuurder | verhuurster | boekhouder | boekhoudster | accountant |
        tandarts | huisarts | dokter | arts | dierenarts | dr | kat | poes | kater | hond | paard | konijn |
        verjaardag | klantnummer | allergisch | allergie | notenallergie | intolerantie | diabetes | suikerziekte |
        vegan | veganistisch | veganist | vegetarisch | vegetariër | slechthorend | doof | blind | zwanger | lactose |
        gluten | noten | pinda | pinda's | heet | noemt | conciërge | juf | meester | oppas | klant | leraar | lerares""",
    "systems": """
        server | servers | databank | database | productie | staging | repo | cluster | koppeling | interface | api |
        cronjob | job | pipeline | build | branch | host | vpn | proxy | firewall | certificaat | token | sleutel |
        wachtwoord | wifi | router | printer | scanner | backup | backups | back-up | domein | configuratie | tenant |
        schema | tabel | cache | bibliotheek | docker | postgres | mysql | versie | licentie | leverancier | contract |
        factuur | facturen | kantoor | magazijn | deur | code | poort | zaal | kamer | alarm | alarmcode | wifi-code |
        wificode | pincode | toegangscode | deurcode | postcode | rekeningnummer | telefoonnummer | btw-nummer |
        dossiernummer | polisnummer | kenteken | nummerplaat | adres | website | webshop | app | vakantiehuis |
        parkeerplaats | garage | verwarming | ketel | meter | meterkast | budget | deadline | rekening | dienst |
        service | kostenplaats | kassa | verzekering | polis | abonnement | schuur | container | containers | map |
        folder | winkel | vergadering | overleg | cursus | les | trein""",
    "states": """
        is | zijn | heeft | hebben | woont | wonen | loopt | lopen | draait | draaien | ligt | liggen | staat | staan |
        hangt | heet | heten | heette | kost | kosten | opent | sluit | begint | eindigt | geldt | gelden |
        nodig heeft | hoort | horen | komt | komen | neemt | accepteert | ondersteunt | werkt | werken | doet |
        verzorgt | verantwoordelijk | bevoegd | regelt | beheert | leidt | gebruikt | gebruiken | spreekt | leeft |
        eet | drinkt | lust | houdt van | slaapt | verwacht | krijgt | krijgen | kan | kunnen | wordt | worden | geeft |
        zit | zitten | vertrekt | reageert | verdraagt | tekent | stopt | draagt | start | gaat | gaan | wil | willen |
        verloopt | vervalt | bestaat | bevat | is gesloten | is open | rijdt | speelt | volgt | was""",
    "contrast": """
        , niet | en niet | , geen | en geen | niet .. maar | geen .. maar | in plaats van | ipv | i.p.v | niet meer |
        niet langer | vroeger | intussen | ondertussen | inmiddels | tegenwoordig | nu | sinds | niet de | niet het |
        niet op | niet in | niet om | niet aan | niet bij | niet naar | niet van | toch niet | eigenlijk |
        in werkelijkheid | in feite | hernoemd | verhuisd | vervangen | afgeschaft | weg | voormalige | oude | vorige |
        is niet | zijn niet | was niet | heeft niet | heet niet | geen | maar | allang | al lang | dat was | was dat |
        wel degelijk | en wel | juist | pas""",
    "denies": """
        dat was de oude | dat was het oude | is de oude | is het oude | kijk nog eens | verschreven | vertypt |
        je rekent met | verouderd | achterhaald | juist niet | en dus niet | ^nee | ^neen | ^nope | ^fout | ^verkeerd |
        ^mis | ^klopt niet | klopt niet | klopt .. niet | klopt van geen | niet helemaal | ^onzin | ^bijna | ^ho |
        ^halt | ^correctie | ^rectificatie | vergis | vergist | vergissing | abusievelijk | verwar | verwart | verward |
        verwissel* | door elkaar | in de war | verlezen | verteld heb | misrekend | verrekend | fout | foute |
        verkeerd | verkeerde | onjuist | niet juist | niet correct | niet waar | niet kloppen | zo niet | waar haal je |
        wie zegt dat | hoe kom je | bestaat niet | bestaat helemaal niet | heb ik nooit | heb ik niet | ik heb nooit |
        nooit gezegd | niet gezegd | niet bedoeld | niet wat ik | omgekeerd | andersom | misverstand |
        verkeerd begrepen | ernaast | er naast | het mis | ^jawel | ^wel | mis je | ik bedoelde | ik bedoel""",
    "you did": """
        je hebt | jij hebt | u hebt | u heeft | heb je | hebt u | heeft u | je had | u had | je schrijft | u schrijft |
        je zegt | u zegt | je zei | je neemt | je gebruikt | u gebruikt | je maakt | je gaat | je rekent | je bedoelt |
        je denkt | je noemt | u noemt | je zet | je vergeet | u vergeet | je getal | jouw getal | je datum | je lijst |
        jouw lijst | je lijstje | je ontwerp | je voorstel | je versie | jouw versie | je tekst | jouw tekst |
        zoals je | van jou | je verwart | je haalt | haal je | je verwisselt | je laat | je vergist | u vergist |
        je blijft | je doet | je telt | jouw antwoord | je antwoord""",
    "lesson": """
        vorige keer | de laatste keer | laatste keer | vorig jaar | vorige maand | vorige week | geleerd | les | lesje |
        bleek | gebleken | ingetrapt | erin getuind | gekost | kwijtgeraakt | kwijt | verloren | ging mis | ging fout |
        misgegaan | misgelopen | liep mis | anders | daarom | vandaar | daardoor | dus graag | dus altijd | dus nooit |
        dus voortaan | geweigerd | teruggestuurd | boete | voor schut | overkomt me niet | al twee keer | pas op |
        opgepast | opgelet | was een fout | voorzichtig""",
    "settles": """
        we houden | houden we | ik hou het | ik houd het | we houden het | goedgekeurd | akkoord | punt $ |
        groen licht | we bouwen | wordt gebouwd | verhuizen we | we verhuizen | we voeren .. in | voeren we |
        ik neem de | ik neem het | neem de | verhuist | ingestemd | gegund | gaat met pensioen | opgegeven |
        we sluiten | wordt vervangen | wordt uitgezet | uitgeschakeld | uitgefaseerd | afgewezen | aangenomen |
        besloten | beslist | afgesproken | ^afgesproken | overeengekomen | vastgelegd | vastgesteld | besluit |
        beslissing | gestemd | unaniem | gekozen | definitief | staat vast | ligt vast | is rond | van tafel |
        van de baan | in kannen en kruiken | beklonken | door de kerk | knoop doorgehakt | knopen doorgehakt |
        we nemen | nemen we | ik neem | we blijven | blijven we | blijft bij | blijven bij | blijft het | het wordt |
        wordt het | we stappen over | stappen we | stap ik | overstappen op | overgestapt | we schakelen over |
        overgeschakeld | omgezet | we kopen | kopen we | we verkopen | we zeggen .. op | opgezegd | geboekt |
        hebben .. gereserveerd | heb .. gereserveerd | getekend | ondertekend | toegezegd | afgezegd | we zien af |
        zien we af | we gaan voor | gaan we voor | gaan voor | ik ga voor | ga ik voor | we kiezen | kiezen we |
        ik kies | kies ik | vliegt eruit | gaat eruit | gaan eruit | is eruit | we zijn eruit | geschrapt |
        wordt geschrapt | wordt afgeschaft | doen we | we doen | dan dus | toegekend | vrijgegeven | uitgesteld |
        verschoven | verplaatst | verzet naar | we zullen | ik zal .. niet meer | gaat weg | zetten in | zetten we in |
        gewonnen | laten we .. vallen | laten vallen | we laten .. vallen | we stoppen met | niet verder met |
        we stappen af | stoppen we | is besteld | is geboekt | ja gezegd | aanbetaling is | voorschot is |
        de naam blijft | keuze is | keuze viel | we schrappen | schrappen we""",
    "tastes": """
        overweldigt | overweldigen | verveelt | vervelen | komt voor mij niet | kom .. ter zake | kom .. to the point |
        ter zake | zonder omwegen | zonder poespas | niet zo | heb liever | graag meteen | voor mij niet |
        niks voor mij | niets voor mij | liever | het liefst | het liefste | liefst | verkies | prefereer | voorkeur |
        ik hou van | ik houd van | ik hou niet | ik houd niet | hou ik van | hou ik niet van | ik haat | een hekel |
        hekel aan | niet uitstaan | ergert | erger me | erger ik me | irriteert | irritant | stoort me | stoort mij |
        storend | vervelend | bevalt me | bevalt mij | te lang | te kort | te uitgebreid | te formeel | te stijf |
        te veel | teveel | te druk | te wollig | maakt me | ik heb genoeg aan | is voor mij genoeg | volstaat voor mij |
        korter | beknopt | beknopter | bondig | kort | eenvoudig | simpel | gewoon | direct | rechtstreeks | zonder |
        minder | graag geen | alsjeblieft geen | geen .. alsjeblieft | geen .. aub | graag niet | alleen graag |
        geen .. meer | tutoyeer | vousvoyeer | noem me | noem mij | spreek me | spreek mij | zeg maar je |
        zeg maar jij | ik eet | ik drink | ik lust | ik wil | ik zou graag | ik heb graag | niet graag | ik zie graag |
        ik lees graag | ik werk graag | graag | ik hoef geen | laat .. weg | weglaten | bespaar me | spaar me | hou op |
        houd op | stop met | meteen ter zake | puntsgewijs | in plaats van | mijn stijl | ik lees | ik denk in |
        voor mij | met mij | kan ik niet tegen | kan niet tegen | zenuwen van | dol op | gek op | fan van | prettiger |
        fijner | vind ik fijn | vind ik prettig | ik vind het fijn | ik vind het prettig | niet mijn ding""",
    "order": """
        ^gebruik | ^gebruikt | ^neem | ^schrijf | ^antwoord | ^reageer | ^geef | ^toon | ^laat | ^vraag | ^zeg | ^maak |
        ^voeg | ^leg | ^zet | ^begin | ^start | ^formuleer | ^rond | ^reken | ^noem | ^hou | ^houd | ^geen | ^nooit |
        ^altijd | ^alleen | ^enkel | ^tutoyeer | ^spreek | ^stop | ^graag | ^let | ^vermijd | ^bespaar | ^boek |
        ^reserveer | ^plan | ^eindig | ^wacht | ^praat | ^vermeld | ^doe | ^kom | ^kies | ^sluit | ^onderteken |
        ^bewaar | ^voortaan | ^commit | ^push | ^test | ^draai | ^bij | ^in""",
    "task": """
        ^vertaal* | ^vat | ^corrigeer* | ^herschrijf | ^herformuleer | ^formuleer | ^ontwerp | ^schrijf me |
        ^schrijf mij | ^schrijf een | ^schrijf eens een | ^stel .. op | ^leg .. uit | ^geef me | ^geef mij | ^toon me |
        ^laat .. zien | ^zeg me | ^zoek | ^vind | ^maak me | ^maak een | ^maak van | ^maak hier | ^maak daar | ^creëer |
        ^genereer | ^bereken | ^reken | ^vergelijk | ^help | ^kijk | ^controleer | ^check | ^lees | ^kort | ^verkort |
        ^noem drie | ^noem vijf | ^noem een | ^plan | ^verwijder | ^wis | ^hernoem | ^wijzig | ^verander | ^pas | ^vul |
        ^voeg | ^stel | ^bouw | ^test | ^start | ^voer | ^draai | ^run | ^fix | ^repareer | ^los | ^kun | ^kan | ^kunt |
        ^zou | ^wil je | ^wilt u | ^mag ik | ^ik heb .. nodig | ^we hebben .. nodig | ^ik zoek | ^ik zou graag |
        ^laten we | ^laat me | ^laat mij | ^laat ons | ^ik wil | ^ik wou | ^wat | ^hoe | ^waarom | ^hoezo | ^welk |
        ^welke | ^wie | ^wanneer | ^waar | ^is | ^zijn | ^heeft | ^hebben | ^heb je | ^moet | ^moeten | ^zullen |
        ^gaat | ^gaan | ^bedenk | ^verzin | ^doe maar | ^ga verder | ^ga door | ^stuur | ^mail | ^bel | ^boek |
        ^reserveer | ^haal | ^zet .. om | ^open | ^sorteer | ^werk .. uit | ^geef .. een""",
    "the one": """
        het bestand | dit bestand | de functie | deze functie | deze alinea | de alinea | de tekst | deze tekst |
        die tekst | de mail | deze mail | die mail | dit mailtje | de brief | deze brief | het script | dit script |
        de code | deze code | deze test | de tests | de fout | deze fout | deze lijst | de tabel | deze tabel |
        hieronder | hierboven | onderstaande | bovenstaande | volgende | deze pagina | de log | de logs | de branch |
        de commit | deze regel | regel | deze zin | hoofdstuk | bijlage | dit verslag | het verslag | die knop |
        deze knop | dit stuk | hier drie | hier een""",
    "now": """
        vandaag | morgenvroeg | morgenochtend | nu meteen | deze keer | dit keer | ditmaal | alleen deze keer |
        bij uitzondering | uitzonderlijk | alleen hier | alleen voor | enkel voor | net | zonet | daarnet | momenteel |
        op dit moment | op het moment | gisteren | straks | zo meteen | later nog | eerst even | voorlopig |
        vooralsnog | voor nu | voor het moment | nog niet | volgende week | volgende maandag | deze week | zo dadelijk |
        tot morgen | vanavond | vanmiddag | vanochtend | vanmorgen | eenmalig | meteen even | nu even | nog een keer |
        nog eens | ik ga zo | nog even""",
    "trouble": """
        er klopt iets | iets klopt niet | klopt er niet | klopt iets | iets fout | fouten | foutmelding | error |
        gecrasht | crasht | hangt .. vast | loopt vast | vastgelopen | kapot | stuk | werkt niet | werken niet |
        werkt .. niet | doet het niet | gaat niet $ | gaat niet goed | gaat niet open | gaat .. mis | gaat .. fout |
        gaan niet $ | lukt niet | lukt .. niet | draait niet | start niet | laadt niet | meldt | alweer | weer eens |
        steeds | voortdurend | traag | rood | waarschuwing | klemt | knippert | piept | lekt | geen idee | plots |
        plotseling | ineens | opeens | wat kan | waaraan | snap er niks | snap niet | verbroken | verdwenen | timeout""",
    "doubt": """
        misschien | eventueel | mogelijk | wellicht | zou | zouden | zou kunnen | stel dat | als we | overweeg |
        overwegen | twijfel | twijfelen | niet zeker | onzeker | weet niet | weet nog niet | weten nog niet |
        nog niet beslist | nog niet besloten | of we | of ik | ooit | ooit eens | op een dag | waarschijnlijk |
        vermoedelijk | geloof | denk ik | ik denk dat | gok | hoop | hopelijk | we zien wel | even zien |
        hardop gedacht | wat als | zullen we | moeten we | moet ik | zal ik | aangenomen dat | volgens mij | optie""",
    "said": """
        zegt | zei | zeiden | zeggen | vindt | vond | meent | schrijft | schreef | beweert | vertelt | vertelde |
        vraagt | vroeg | volgens | aldus | citaat | recensie | beoordeling | klant | gast | collega schrijft |
        naar verluidt | zogezegd | hij | ze zegt | zij zegt | staat dat | stond in | staat in het | kop | artikel |
        handleiding""",
    "thanks": """
        bedankt | dank je | dank u | dankjewel | dankuwel | dank | dankje | thanks | merci | zo geduldig |
        zo vriendelijk | super | top | tof | prachtig | hallo | hoi | dag | goedemorgen | goeiemorgen | goedemiddag |
        goedenavond | goeiedag | doei | tot straks | fijne | prettige | hoe gaat het | alles goed | haha | lol | cool |
        perfect | goed gedaan | goed bezig | het is gelukt | welterusten | slaapwel | moe | weer | weertje | regent |
        weekend | fijn weekend | blij | lekker weer | precies wat ik | je redt me""",
    "story": """
        ik heb net | ik heb zonet | ik was | was ik | ik ben net | ik heb .. geprobeerd | ik heb .. gedaan |
        ik heb .. gevonden | ik ging | ik kreeg | ik zit | ik zit net | ik moet | ik wacht | ik werk net |
        ik ben bezig | we waren | we hadden | ik had | ik zoek | ik probeer | ik krijg | krijg ik | ik ga zo |
        ik ben aan het""",
    "intent": """
        ik wil | ik wou | ik ga | ik zal | laten we | laat ons | laat me | we moeten | ik moet | moet nog |
        ik heb .. nodig | we hebben .. nodig | we zouden | ga verder | ga door | begin maar | ik probeer | ik wilde |
        doe maar | ik stuur""",
    "chat": """
        mooi | mooie | leuk | leuke | leuker | ziet er goed uit | ziet er .. uit | prachtig | geniaal |
        kijk ernaar uit | heb er zin in | spannend | succes | veel plezier | goed idee | klinkt | voelt | trots |
        geweldig | grappig | groetjes | liefs | lekker | gezellig | zonde | wauw | amai | plezant | jammer | saai |
        zo is het | fantastisch""",
    "points": """^dat | ^dit | ^deze | ^die | ^ze | ^zij | ^het is | ^het was | ^het gaat | ^zo | ^hij | ^er""",
    "fiction": """
        film | boek | roman | lied | liedje | spel | gedicht | verhaal | personage | sprookje | mop | grap | raadsel |
        hoofdstuk | scène | quiz | serie | aflevering | koning""",
}
