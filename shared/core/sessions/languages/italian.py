"""Cues of Italian."""

from shared.core.sessions.languages.language import Phrases

_TROUBLE = (
    r"(?:fall(?:isce|iscono|it[oaie])|funzion\w*|error[ei]|blocc\w*|piant(?:a|ato|ata)|crash\w*|lent[oaie]|part(?:e|ono)|avvi\w*|compil\w*|romp\w*|rott[oaie]|caric\w*|appar\w*|"
    r"compar\w*|si (?:apre|aprono|vede|vedono)|mostra|risponde|capisco|so)"
)
_FILES = r"(?:memoria|memory|note(?! (?:di rilascio|di release|a pi))|appunti|claude\.md|agents\.md|gemini\.md|memory\.md|regole|linee guida)"

ITALIAN = Phrases(
    code="it",
    words="""il lo la gli le l un una uno di da in con su tra fra del dello della dei degli delle al allo agli alle dal
        dallo dalla dai dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli sulle ma anche che chi cui è
        non no sì mi ti ne me te noi voi lui lei tu loro mio mia miei mie tuo tua tuoi tue suo sua suoi nostro nostra nostri
        nostre vostro sono sei siamo siete erano sia essere stato stata ho hai ha abbiamo avete hanno avere aveva fa fai
        fare fatto facciamo vai andiamo vado sta stai deve devi devo devono può puoi posso possiamo potresti vuoi voglio
        vorrei questo questa questi queste quello quella quelli quelle quell qui qua ora adesso già ancora sempre mai più
        meno molto molti troppo troppi tutto tutti tutta tutte ogni soltanto senza quando perché perchè dove qual quale
        quali quanto quindi però poi prima dopo invece oppure così niente nessuno alcuni usa usare usi usiamo scrivi
        scrivere metti mettere fammi dammi dimmi ricorda ricordati ricordi segnati segna annota preferisco odio detesto
        piace piacciono chiamami evita smettila aggiungi togli deciso scelto grazie ciao favore bene oggi domani ieri
        stavolta i forse vanno bisogna altro altra altri altre anno anni giorni giorno lavoro nome ufficio fino entro
        durante sera mattina lunedì martedì mercoledì giovedì venerdì scade lascia correggi rispondi sbagliato sbagliata
        abito riunione riunioni fatture risposte italiano inglese piu perche cosi abbia siano vuole detto ricordarti
        dimenticare nomi chiama chiamano chiamo inizia comincia arriva arrivano chiude apre abita mangia lavora vengono
        rimane finisce accetta funziona trova usano so meglio importa faccio passiamo passare nuovo nuovi nuova capisco
        riesco vedo credo penso saranno teniamo vecchio vecchia mangio bevo guido sopporto voglia prendiamo scegliamo ultima
        ultimo""",
    lead=r"ok(?:ay)?|sì|si|va bene|bene|bello|ottimo|perfetto|grazie|certo|d'accordo|allora|dunque|quindi|e|ed|ma|però|ah|oh|ehm?|hm+|mah|beh|be'|no|per favore|per piacere|per cortesia|ti prego|aspetti?a?|scus[ai]|senti|"
    r"guard[ai]|in realtà|a dire il vero|veramente|comunque|anzi|poi|inoltre|dai",
    question=r"<head>(?:(?:è|sarà) vero che(?=[^,]{0,200}$)|perch[éè](?! (?:tu |lei )?(?:lo )?sappia)|come mai|come(?= (?:faccio|facciamo|si|posso|possiamo|mai|va|è|sono|funziona|stai|sta|ti|lo|la|fai|fa)\b)|com'è|quando(?= (?:è|"
    r"sono|sarà|era|inizia|comincia|finisce|arriva|arrivi|parte|scade|apre|chiude|esce|devo|dobbiamo|posso|possiamo)\b)(?=[^,]{0,200}$)|dove(?! (?:possibile|serve|puoi)\b)|dov'è|chi(?= (?:è|era|sono|ha|sa|può|mi|"
    r"ci)\b)(?=[^,]{0,200}$)|qual[ei]?|quant[oaie](?! (?:a|al|all|alla|ai|alle|meno)\b)|"
    r"(?:che )?cosa(?= (?:è|sono|fa|fai|faccio|devo|dovrei|posso|significa|vuol|ne|pensi|succede|ci|c'è|si|ti|mi|intendi|manca|hai|ha|c'era)\b)|cos'è|cos'era|cos'ha|che (?:ore|differenza|tempo|senso|significa|vuol dire|ne pens[ia]|"
    r"fai|fa|dici)|mi (?:chiedo|chiedevo|domando)|(?:io )?non (?:so(?! \w{2,20}[aei]re\b)|ricordo|mi ricordo|sappiamo|ricordiamo|ho idea)|(?:non ne ho )?(?:nessuna|la minima) idea|boh|(?:mi |ci )?(?:puoi|potresti|può|potrebbe|sapresti|sai) "
    r"(?:spiegar|dir|mostrar|far vedere|indicar)(?:e|mi|ci|melo)?)\b",
    request=r"<head>(?:(?:mi |ci |me l[oaie] |lo |la )?(?:puoi|potresti|potremmo|può|potrebbe|possiamo|riesci|riesce|riusciresti|vuoi|ti va di|ti dispiace|ti spiace|le dispiace)\b|sto per\b|vado a\b|ora (?:provo|faccio|vado)\b|proviamo\b|"
    r"(?:mi |ci )(?:serve|servono|servirebbe(?:ro)?|occorre|fai|fa|dai(?! del\b)|dà(?! del\b)|scrivi|traduci|prepari|cerchi|trovi|spieghi|controlli|mandi|mostri|aiuti|crei|riassumi|correggi)\b|ho bisogno\b|"
    r"avrei bisogno\b|abbiamo bisogno\b|vorrei (?:che\b|un|una|sapere|capire|chiederti)\b|voglio che (?!tu (?:sappia|sempre|non)\b)|"
    r"(?:aggiung|corregg|cre|scriv|cancell|elimin|rimuov|togl|rinomin|spost|controll|rived|guard(?!. che\b)|mostr|esegu|lanc|implement|prov|test|legg|cerc(?!a di\b)|trov|spieg|riassum|invi|mand|mett|sostitu|cambi|modific|install|gener|"
    r"continu|sistem|aggiust|verific|prepar|calcol|confront|complet|traduc|riscriv|accorc|apr|chiud|salv|stamp|ordin|prenot|disegn|inserisc|trasform|convert|analizz|ricontroll|riprov|ricominc|ottimizz)(?:i|a|isci)\b|"
    r"(?:dammi(?! (?:pure )?(?:del|sempre)\b)|dimmi|fammi|mandami|mostrami|scrivimi|trovami|cercami|spiegami|aiutami|preparami|leggimi|creami|traducimi|riassumimi|fai|fa'|facci|vai(?! (?:dritt|subito|al (?:punto|sodo)))|"
    r"va' avanti|dai|procedi|fallo|mettilo|mettila|cambialo|cambiala|toglilo|toglila)\b)",
    moment=r"\b(?:non (?:[\w']{2,20} )?ancora|per (?:ora|adesso|il momento)|al momento|in questo momento|stavolta|(?:per )?questa volta|per una volta|per oggi|aspett[ai] (?:un|a|prima|che|fino|ancora)|prima (?:fammi|devo|"
    r"vediamo|voglio|vorrei|finisco|finiamo)|fin(?:o a)? quando non|finch[éè] non|"
    r"(?:non (?:ho|abbiamo) ancora|non (?:ho|abbiamo)) (?:deciso|scelto)|(?:decid|scegl)(?:iamo|eremo|erò|o) (?:questo |tutto |poi )?(?:domani|dopo|poi|più tardi|più avanti|un altro giorno|un'altra volta|"
    r"la (?:prossima )?settimana|la settimana prossima))\b",
    reported=r"^(?!\W{0,8}(?:io|ho|abbiamo|ti|te|noi|vi)\b)[^:\n]{2,80}\b(?:dice|diceva|disse|ha detto|scrive|scriveva|ha scritto|hanno scritto|afferma|sostiene|indica|commenta|ha commentato|commento|errore|messaggio|log|output)\b[^:\n]{0,40}:"
    r"|^\W{0,8}(?:secondo(?! (?:me|te|noi|lei|piano|nome|cognome|turno|punto)\b)|stando a|in base a(?:l|lla)?|a detta d\w{1,4})\b|^\W{0,8}(?:avvertenza|avviso|errore|attenzione error\w)\s?:|<head>(?:traduci|traduca|"
    r"traducimi|riassumi|riassumimi|riassuma|riformula|parafrasa|rileggi)\b[^:\n]{0,60}:"
    r"|^\W{0,8}(?!(?:io|ti|te|noi|ci|mi|si|chi|come)\b)(?:[\w']+ ){1,4}(?:dice|diceva|disse|ha detto|crede|pensa|afferma|sostiene|ripete|consiglia)\b(?! (?:di )?(?:sì|no)\b)"
    r"|^\W{0,8}n(?:el|ell'|ello|ella|ei|egli|elle) ?(?:libro|romanzo|film|articolo|gioco|serie|giornale|racconto|video|podcast)\b|^\W{0,8}in (?:un|una|questo|questa|quel|quella) (?:libro|romanzo|film|articolo|gioco|serie|"
    r"giornale|racconto|video|podcast)\b"
    r"|(?<!ti )(?<!ho )(?<!abbiamo )\b(?:dice|disse|crede|pensa|afferma|sostiene|ha (?:detto|scritto)|hanno (?:detto|scritto)|dicono|scrive) che\b"
    r"|<head>(?:correggi|correggimi|migliora|accorcia|riscrivi|rendil[oa]|rendi|abbellisci|sistema)\b[^:\n]{0,60}:|<head>c'era(?:no)? una volta\b",
    idle=r"^\W{0,8}(?!(?:io|ti|te|noi|mi|ci|si|se|tuo|tua|tuoi|tue|ricorda|ricordati|nota|segnati|annota|chi|non)\b)(?![^\n]{0,400}\bma\b)(?:[\w']+ ){1,4}(?:crede|pensa|ritiene|giura|sostiene|(?:sempre )?diceva(?: sempre)?|"
    r"dice sempre|ripete sempre|è convint[oa])\b|"
    r"<head>(?:supponi(?:amo)?|supponga|ipotizziamo|immagina(?:ti)?|immaginiamo|immagini|metti(?:amo)? (?:che|il caso)|poniamo (?:che|il caso)|facciamo finta|fai finta|fingi|e se|che succede se|cosa succede(?:rebbe)? se|"
    r"se (?:io |noi |tu |un giorno |per caso |mai |invece |non )?(?:mi |ti |ci |lo |la |l')?\w{1,20}(?:a|e|i|o)ss(?:i|e|imo|ero))\b|"
    r"\b(?:solo|soltanto|unicamente|giusto) (?:per )?(?:stavolta|questa volta|una volta|(?:per )?oggi|(?:in |per )?(?:questo|questa|quest') ?(?:e?-?mail|messaggio|lettera|risposta|file|grafico|mappa|tabella|pagina|"
    r"paragrafo|testo|domanda|caso|email)\b)|"
    r"\bper (?:stavolta|una volta tanto)\b|\beccezionalmente\b|\bin via (?:del tutto )?eccezionale\b|"
    r"<head>(?:(?:hai|ha|avete) (?:proprio |pienamente |perfettamente |assolutamente )?ragione)\b(?! (?:su|sul|sulla|sui|sulle)\b)(?![^\n]{0,400}\b(?:ma|però)\b)|"
    r"<head>no[,.! ]{1,3}(?:(?:va|sta|tutto|è) (?:benissimo|bene|perfetto|ottimo|a posto|ok)(?! (?:se|che|solo)\b)|lascia(?: stare)?|tranquill[oa]|figurati|fa niente|fa lo stesso|niente(?=\W{0,4}$|[,.!;]))|"
    r"<head>(?:ti ricordi|vi ricordate|si ricorda|ricordi|ricordate|te l[oa] ricordi) (?!(?:di )?che\b)(?!di (?:non )?\w{1,20}[aei]r(?:e|\w{2,4})\b)|"
    r"<head>no[,.! ]{1,3}(?:(?:non )?(?:quest[oaei]|quell[oaei])(?: no)?|l'altr[oa]|(?:il|la|lo) (?:prim|second|terz|ultim)[oa]|quell[oaei] (?:di|a|sopra|sotto|accanto|con|in)\b[^.!?\n]{0,40})(?: \w+)?(?=\W{0,4}$|[,.!;])|"
    r"<head>(?:no[,.! ]{1,3})?(?:intendevo|volevo dire|dicevo) (?:il|la|lo|l'|quell[oa]) ?(?:prim|second|terz|quart|ultim|altr)[oa]\b|"
    r"\bmai dire mai\b|<head>(?:lascia(?:te|mo)? (?:perdere|stare)|lasci (?:perdere|stare)|dimentica(?:lo|tene)?|scordatelo|non importa|fa niente|fa lo stesso|pazienza|come non detto|niente)(?=\W{0,4}$|[,.!;])|"
    r"\b(?:decis[oiae]|scelto|decidemmo|decisero)\b[^.!?\n]{1,80}(?:[,;]| ed?) (?:è stat[oa]|fu|era) (?:\w+ )?(?:divertent|bell|bellissim|fantastic|ottim|buonissim|noios|orribil|stupend|magnific|splendid|un disastro|uno spasso)\w{0,4}\b",
    trouble=rf"\b{_TROUBLE}\b",
    states=r"\b(?:è|sono|sta|stanno|ha|hanno|deve|devono|può|possono|usa|usano|usiamo|gira|girano|appartiene|costa|scade|comincia|inizia|finisce|richiede|accetta|restituisce|rimane|resta|si trova|vive)\b",
    narrates=r"^\W{0,8}(?:ho|abbiamo|sono|fatto|lanciato|provato|testato|corretto|rivisto|finito|riunione|pausa|completat[oa]|terminat[oa])\b|\b(?:oggi|domani|adesso|in questo momento)\b",
    opening=r"^(?:(?:no|falso|sbagliato|errato)\b\s{0,2}[,.!:;\u2013-]+\s*|(?:ok(?:ay)?|sì|va bene|bene|certo|ma|però|allora|in realtà|veramente|aspetta|per favore|guarda|senti)\b[,.!:\s]+)*"
    r"(?:(?:(?:questo|ciò|così) )?(?:non è (?:così|corretto|giusto|vero|esatto)|è (?:sbagliato|falso|errato|scorretto))\b[,.!:;\s]*)?"
    r"(?:(?:ricordati|ricorda|ricordi|si ricordi|non (?:dimenticare|dimenticarti|scordare|scordarti|dimentichi)|tieni (?:presente|a mente|conto)|tenga (?:presente|conto)|segnati|segna|annotati|annota|prendi nota|"
    r"per tua informazione|perché tu (?:lo )?sappia|importante|nota(?: bene)?|come (?:ti )?(?:ho )?(?:già )?detto|sappi)\b[,:\s]*(?:del fatto\s+)?(?:che\s+|di\s+)?)?",
    corrections=(
        (
            "no",
            0.8,
            r"<head>(?:no|falso|sbagliato|errato|macch[éè])(?:[,.!:;]| \u2013| -)\s*(?!grazie|problem|c'è problema|ti preoccupare|preoccuparti|fa niente|continua|puoi|vai|figurati|dai)\S",
        ),
        (
            "not right",
            0.9,
            r"\b(?:questo |quello |ciò |così )?non (?:è|era) (?:così|corretto|corretta|giusto|giusta|vero|vera|esatto|esatta|(?:quello|ciò|quel) che)\b(?! (?:facile|semplice|male|grave|importante|difficile|tanto|strano))"
            r"|\bè (?:tutt[oa] )?(?:sbagliat|fals|errat|scorrett)[oa]\b|\b(?:ti|si) (?:stai|sta) sbagliando\b|\bhai (?:torto|sbagliato)\b|\bti sbagli\b|"
            r"\bnon (?:corrisponde|risponde) al vero\b",
        ),
        (
            "I meant",
            0.9,
            r"(?<!quello che )(?<!quel che )(?<!ciò che )\b(?:intendevo|volevo dire|mi riferivo|parlavo di|(?:te l'|te lo |ve l'|ve lo |gliel'|glielo )(?:ho|avevo) (?:già |appena )?detto|(?:ti|le|vi) (?:ho|avevo) (?:già |appena )?detto|"
            r"mai (?:detto|chiesto)|non (?:ho|avevo) (?:mai )?(?:detto|chiesto)|come (?:ti )?(?:ho|avevo) (?:già )?detto|come (?:già )?detto)\b",
        ),
        (
            "takes back",
            0.8,
            r"\b(?:ti|si|vi) (?:sei|è|siete) (?:\w+ )?(?:confus|sbagliat)[oaie]\b|\b(?:ti (?:confondi|stai confondendo)|stai confondendo|hai (?:confuso|scambiato|invertito|frainteso|equivocato))\b|\b(?:mi sono (?:confus|"
            r"sbagliat)[oa]|mi sbagliavo|mi correggo)\b|"
            r"<head>(?:correzione|rettifica|errata corrige|correggo)\s?:|\bè (?:esattamente )?(?:il contrario|l'opposto|il rovescio)\b",
        ),
        (
            "not X but Y",
            0.9,
            r"<sound>\bnon (?!solo|soltanto|solamente|unicamente)[^.!?\n]{1,80},? (?:bensì\b|ma (?:piuttosto|invece|al|alla|ai|alle|in|nel|nella|sul|sulla|da|dal|dalla|di|del|della|con)\b)"
            r"|<sound>\bnon (?!solo|soltanto|solamente|unicamente)(?:è|sono|era|sta|si chiama|gira|il|lo|la|i|gli|le|l'|un|una|a|al|alla|in|nel|nella|di|da|dal|con|per)(?<=['\w]) ?[^.!?,\n]{1,40},? ma "
            r"(?!non|io|tu|se|poi|però|comunque|ci|mi|ti|si|lo|ho|hai|ha|hanno|è|sono|c'è|va|sta|può|puoi|posso|anche|quando|almeno|forse|credo|penso|vorrei)\w",
        ),
        (
            "X, not Y",
            0.7,
            r"\b(?:è|sono|era|sta|stanno|si chiama|si chiamano|gira|girano|usa|usiamo|va|vanno|vive|resta|rimane|abita|costa|inizia|parte|arriva|fa)\b[^.!?\n]{1,60}(?:,| e) non "
            r"(?!solo|soltanto|ancora|appena|è|sono|so\b|c'è|ho|ha|hai|hanno|abbiamo|si\b|mi\b|ti\b|ci\b|lo\b|funziona|vedo|vedi|capisco|riesc|poss|può|puoi|parte|va\b|sta\b|fa\b|vogli|devo|siamo|serve|importa|credi|pensi)",
        ),
        (
            "instead",
            0.6,
            r"<sound>\b(?:invece (?:di|del|della|dei|degli|delle|dello|che)|invece dell'|al posto (?:di|del|della|dei|delle|degli)|anziché|piuttosto che)\b",
        ),
        (
            "no longer",
            0.7,
            r"<sound>(?:\bnon (?:[\w']+ ){1,3}più\b(?! (?:di|che|o meno|tardi|tempo|\w{2,20} (?:di|del|della|che))\b)|\b(?:obsolet|superat|dismess|deprecat)[oaie]\b)",
        ),
        (
            "you did",
            0.7,
            r"\b(?:(?:ti sei|si è) (?:dimenticat|scordat|inventat)[oa]|hai (?:dimenticato|scordato|cancellato|rimosso|ignorato|confuso|capito male|frainteso|inventato|sovrascritto|saltato|tralasciato)|avresti dovuto(?! vedere))\b",
        ),
        (
            "order not to",
            0.7,
            r"<head>non (?:usare|utilizzare|mettere|metterci|aggiungere|scrivere|fare|toccare|modificare|cambiare|committare|creare|includere|installare|inserire|inventare|pushare|cancellare|eliminare|rimuovere|darmi|mandarmi|scrivermi|"
            r"rispondermi|propormi|usi|utilizzi|metta|aggiunga|scriva|faccia|tocchi|modifichi|cambi|crei|includa|installi|usate|mettete|scrivete|fate|toccate|modificate)\b|"
            r"<head>(?:smettila|smetti|la smetta|smetta|piantala|basta) (?:di|con|coi|col)\b|<head>(?:evita|eviti|evitate)\b",
        ),
    ),
    saves=(
        (
            "remember",
            0.9,
            r"\b(?:ricordati|ricordatevi|si ricordi|(?<!mi )(?<!ci )(?<!si )ricorda (?:che|di|bene|anche|questo)|ricorda\s?:|ricordi che|non (?:dimenticare|dimenticarti|dimenticartelo|dimentichi|si dimentichi|dimenticate|"
            r"scordare|scordarti|scordartelo|ti dimenticare|ti scordare)|"
            r"tieni(?:lo|ne)? (?:presente|a mente|bene a mente|conto)|tienine conto|ten(?:ga|ete) (?:presente|a mente|conto)|(?:segnat|annotat|appuntat)(?:i|elo|ela|evi)|(?:si segni|si annoti|prenda nota)|(?:segna|annota|"
            r"appunta)(?:lo)?(?= (?:che|questo|anche|da qualche|pure|bene)|\s?:)|prend(?:i|ete) nota|memorizza|"
            r"importante\s?:|nota(?: bene)?\s?:|n\.?b\.?\s?:|promemoria\s?:|per (?:dopo|più tardi|il futuro|la prossima volta)\s?:|per la prossima volta\b|per (?:tua|sua) (?:informazione|conoscenza)|"
            r"(?:giusto )?perch[éè] tu (?:lo )?sappia|sappi che|sappia che|mettiti in testa|salvati (?:che|questo)|tieni da parte)",
        ),
        (
            "to memory",
            0.95,
            r"\b(?:salva|salvalo|salvatelo|aggiungi|aggiungilo|annota|annotalo|scrivi|scrivilo|metti|mettilo|registra|registralo|inserisci|inseriscilo|segna|segnalo|includi|conserva)\b[^.!?\n]{0,80}\b(?:in|nel|nella|nelle|nei|"
            r"negli|a|al|alla|alle|ai|tra|fra) "
            rf"(?:le |la |il |i |gli )?(?:tue |tua |tuoi |sue |sua |nostre |nostra |mie |mia )?{_FILES}\b|\baggiorna\b[^.!?\n]{{0,30}}{_FILES}\b",
        ),
    ),
    decisions=(
        (
            "decided",
            0.9,
            r"\b(?:abbiamo|ho|si è|è stato|hanno|team ha|squadra ha|capo ha|comitato ha|consiglio ha)\b(?<!non ho)(?<!non abbiamo)(?<!non hanno)(?<!non si è)[^.!?\n]{0,15}\b(?:deciso|scelto|concordato|optato|stabilito|approvato|"
            r"deliberato)\b(?! (?:se|cosa|ancora)\b)|"
            r"\b(?:ci siamo|siamo) (?:messi d'accordo|accordati|rimasti (?:d'accordo|che))\b|\b(?:alla fine|infine),? (?:andiamo|teniamo|prendiamo|scegliamo|restiamo|sarà|useremo|usiamo|facciamo|si fa|si va|si tiene|si resta|"
            r"ho preso|abbiamo preso)\b|"
            r"\bè (?:definitivo|deciso|confermato|ufficiale)\b|<head>(?:deciso|è deciso|aggiudicato|affare fatto|approvato)\s?(?:[:,.!]|$)|\bdecisione(?: finale| presa)?\s?:|\bla decisione (?:è(?! (?:ancora|rimandata|aperta))|"
            r"è stata)\b|\b(?:è|resta|rimane) (?:inteso|stabilito|fissato|concordato)\b",
        ),
        (
            "we do",
            0.6,
            r"\b(?:usiamo|utilizziamo|useremo|adottiamo|teniamo|restiamo (?:su|con|a)|andiamo (?:con|su|di|per)|passiamo a|passiamo (?:al|alla|ai)|siamo passati (?:a|al|alla)|ospitiamo|lavoriamo con|migriamo (?:a|su|verso)|"
            r"continuiamo con|puntiamo su)\b",
        ),
        (
            "goal",
            0.7,
            r"\b(?:l'obiettivo|lo scopo|il piano|la regola|la convenzione|la politica|la policy|l'idea di fondo) (?:è|era)\b(?! (?:sbagliat|chiar))",
        ),
    ),
    facts=(
        (
            "is",
            0.6,
            r"\bsono (?:\w+ )?(?:celiac[oa]|vegan[oa]|vegetarian[oa]|allergic[oa]|intollerante|diabetic[oa]|daltonic[oa]|dislessic[oa]|mancin[oa]|astemi[oa]|cardiopatic[oa]|asmatic[oa])\b",
        ),
    ),
    lasting=(
        (
            "from now on",
            0.85,
            r"\b(?:d'ora (?:in poi|in avanti|innanzi)|da (?:ora|adesso|oggi) in (?:poi|avanti)|da qui in (?:poi|avanti)|a partire da (?:ora|adesso|oggi)|in futuro|per il futuro|in avvenire|la prossima volta|le prossime volte)\b",
        ),
        (
            "always",
            0.7,
            r"<sound>(?<!come )(?<!sei )(?<!siete )\b(?:sempre(?! (?:più|meno|lo stesso|la stessa|uguale|così|molto|tanto|un piacere|gentil|disponibil))|"
            r"(?<!ho )(?<!avevo )(?<!hai )(?<!abbiamo )(?<!quanto )(?<!caso )(?<!se )(?<!che )mai(?! (?:visto|sentito|stato|stata|come)\b))\b",
        ),
        (
            "let's keep to",
            0.7,
            r"<head>(?:usiamo|utilizziamo|restiamo|manteniamo|teniamo|atteniamoci|evitiamo)\b(?! (?:d'occhio|duro)\b)",
        ),
    ),
    preferences=(
        (
            "to be called",
            0.7,
            r"\b(?:chiamami|mi puoi chiamare|puoi chiamarmi|chiamatemi|dammi del|mi dia del|diamoci del|dammi pure del|mi dai del)\b(?! (?:quando|se|alle|domani|dopo|più tardi)\b)|<head>mi chiami\b",
        ),
        (
            "is and does not",
            0.6,
            r"\b(?:io )?non (?:mangio|bevo|fumo|tollero|guido|lavoro|prendo (?:l'aereo|caffè|latticini))\b",
        ),
        (
            "not without",
            0.6,
            r"\bsenza (?:(?:prima )?chiedermel[oa]|(?:prima )?chieder(?:mi|e)|(?:prima )?avvisar(?:mi|e)|avvertir(?:mi|e)|(?:prima )?consultarmi|il mio (?:permesso|consenso|ok|via libera|benestare)|la mia (?:approvazione|autorizzazione))\b|"
            r"\b(?:chiedimi|chiedi|mi chieda|avvisami|avvertimi|chiedetemi) (?:sempre |prima |conferma |il permesso ){1,2}|\bprima di [^.!?\n]{1,60} (?:chiedimi|chiedi|avvisami|mi chieda|consultami)\b|"
            r"\bnon (?:serve|c'è bisogno|occorre|hai bisogno|importa) (?:che (?:tu )?(?:mi )?(?:spieghi|chieda|confermi|ripeta)|(?:di )?(?:spiegar|chieder|confermar|ripeter)(?:mi|e|melo)?)\b|"
            r"<head>(?:niente|solo|soltanto) (?!che\b|male\b|paura\b|panico\b|da\b|un\b|una\b|per\b)\w+[^.!?\n]{0,50}\b(?:in|nel|nei|nelle|nella|negli|per favore|senza|per|quando)\b",
        ),
        (
            "taste",
            0.7,
            r"\b(?:preferisco|preferirei|preferiamo|preferiremmo)\b(?! quest[oaie]\b)|\b(?:non )?mi (?:piace|piacciono|piacerebbe che tu)\b(?! (?:(?:molto|tanto|un sacco|davvero) )?(?:quest|quell|l'idea|la tua|il tuo|come hai|così))|"
            r"\b(?:odio|detesto|adoro|non sopporto|non reggo|non tollero)\b(?! (?:quest|quell|quand[oa] fai)\w{0,3})|\b(?:la )?mia preferenza\b|\b(?:mi (?:dà|danno) (?:fastidio|noia|sui nervi)|mi infastidisc(?:e|ono)|"
            r"mi irrita(?:no)?|mi trovo meglio)\b",
        ),
        (
            "kept simple",
            0.6,
            r"\b(?:mantieni|mantienil[oaie]|tieni|tienil[oaie]|tenga|mantenga|falle|falli|fai) (?:\w+ ){0,2}(?:semplic[ei]|cort[oaie]|brev[ei]|concis[oaie]|sintetic[oaie])\b|\bniente di (?:complicato|speciale|elaborato)\b|"
            r"\brispost[ae]\b[^.!?\n]{0,20}\b(?:troppo|tropp[oe]) lungh?[ae]\b",
        ),
        (
            "use X",
            0.6,
            r"<head>(?:usa|usi|utilizza|utilizzi|usate)\b[^.!?\n]{1,80}\b(?:per (?:i|gli|le|tutt[ioe]|ogni)\b|in tutt[ioe]|in ogni|ovunque|dappertutto)|<head>(?:rispondi|rispondimi|risponda|scrivimi|mi scriva|mi risponda|"
            r"parlami)(?: sempre)? in (?!un|meno|due|tre|fretta)\w+\b",
        ),
    ),
)
