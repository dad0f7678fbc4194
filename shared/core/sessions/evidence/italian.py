"""Evidence of Italian; `weights.py` says what each group is for, `phrases.py` how a phrase is written."""

LEADS = """ok sì si e ed ma però anche allora ah oh ehi ehm beh be mah guarda guardi senti senta bene va d'accordo dai grazie aspetta
    aspetti certo scusa scusi per favore comunque insomma infine cavolo oddio poi quindi dunque d' accordo piacere cortesia"""

GROUPS = {
    "memo": """
        ricorda | ricordati | ricordatelo | ricordatevi | ricordi che | si ricordi | da ricordare | tieni presente |
        tieni conto | tieni a mente | tieni bene a mente | tienilo presente | tienilo a mente | tienine conto |
        tieni in considerazione | tenga presente | tenga conto | tenga a mente | tenete presente | tenete conto |
        annota | annotalo | annotati | annoti | si annoti | segna che | segnati | segnatelo | segnalo | si segni |
        segnami |
        appuntati | appuntatelo | appunta che | prendi nota | prenda nota | prendete nota | nota : | nota bene | nb : |
        promemoria | non dimenticare | non dimenticarti | non dimenticartelo | non dimentichi | non ti dimenticare |
        non scordare | non scordarti | non ti scordare | memorizza | registra che | salva che | salvati | conserva |
        tieni da parte | metti da parte | mettilo nelle note | nelle tue note | nei tuoi appunti | nella tua memoria |
        in memoria | tra le note | perché tu sappia | perché tu lo sappia | perchè tu lo sappia | così lo sai |
        così sai |
        sappi che | sappia che | devi sapere | ti informo | ti avviso | ti dico già | per tua informazione |
        per conoscenza |
        per la prossima | per le prossime | per il futuro | per il seguito | per dopo | per più tardi | in caso serva |
        nel caso serva | nel caso ti serva | casomai servisse | caso mai | ti servirà | ti tornerà utile | torna utile |
        buono a sapersi | utile sapere | è bene sapere | da sapere | ^importante | ^avviso | ^info | ^attenzione |
        se qualcuno chiede | se qualcuno te lo chiede | se ti chiedono | mettiti in testa | non perdere |
        a futura memoria""",
    "lasting": """
        sempre | mai | ogni | ogni volta | ogniqualvolta | tutte le volte | tutto | tutta | tutti | tutte | ovunque |
        dappertutto | di default | per impostazione predefinita | in generale | in genere | generalmente | di norma |
        di regola | di solito | solitamente | normalmente | d' ora in poi | d' ora in avanti | d' ora innanzi |
        da ora in poi |
        da ora in avanti | da adesso in poi | da oggi in poi | da qui in avanti | da qui in poi | a partire da |
        da adesso |
        in futuro | senza eccezioni | senza eccezione | qualunque cosa | in ogni caso | a prescindere |
        sistematicamente |
        permanentemente | per sempre | una volta per tutte | da sempre | dall'inizio | fino a nuovo ordine |
        fino a nuovo avviso | al massimo | al minimo | almeno | massimo | minimo | solo | soltanto | solamente |
        unicamente |
        esclusivamente | salvo | tranne | eccetto | a meno che | nessun | nessuno | nessuna | ^niente | , niente |
        e niente | quindi niente | qualsiasi | qualunque |
        ciascun | ciascuno | mai più | giammai | appena | finché | non appena""",
    "calendar": """
        il lunedì | il martedì | il mercoledì | il giovedì | il venerdì | il sabato | la domenica | di lunedì |
        di martedì |
        di mercoledì | di giovedì | di venerdì | di sabato | di domenica | del lunedì | del martedì | del mercoledì |
        del giovedì | del venerdì | del sabato | ogni lunedì | ogni martedì | ogni mercoledì | ogni giovedì |
        ogni venerdì |
        ogni sabato | ogni domenica | ogni sera | ogni notte | ogni mattina | ogni giorno | ogni settimana | ogni mese |
        ogni anno | ogni due | ogni tre | ogni sei | tutti i giorni | tutti i lunedì | tutti i venerdì | tutte le sere |
        tutte le mattine | tutte le notti | tutte le settimane | tutti i mesi | tutti gli anni | di notte | di sera |
        di mattina | la mattina | la sera | nel weekend | nei weekend | nel fine settimana | a fine mese | entro il |
        settimanale | mensile | quotidiano | giornaliero | trimestrale | annuale | ad agosto | in agosto | d' estate |
        in estate | d' inverno | in inverno | al mese | all'anno | alla settimana | a settimana | una volta al |
        una volta a |
        due volte al | due volte a | del mese""",
    "must": """
        mai prima | non prima delle | non prima di | non dopo le | non oltre | solo dopo | solo con | solo via |
        solo tramite |
        solo per | solo da | deve | devono | dev'essere | bisogna | occorre | ci vuole | ci vogliono | è necessario |
        va fatto |
        va fatta | vanno fatti | vanno fatte | va messo | va messa | vanno messi | vanno messe | va usato | va usata |
        vanno usati | va scritto | va scritta | vanno scritti | vanno scritte | va chiesto | va indicato | va sempre |
        vanno sempre | vanno in | va in | vanno nel | vanno nella | va nel | va nella | va prima | vanno prima |
        va tenuto |
        va tenuta | vanno tenuti | non va | non vanno | dovrebbe | dovrebbero | vietato | vietata | vietati | vietate |
        proibito | proibita | obbligatorio | obbligatoria | obbligatori | consentito | permesso | non si può |
        non si possono |
        non può | non possono | non si tocca | non si toccano | non si usa | non si usano | non si fa | non si fanno |
        non si mette | si mette | si mettono | si usa | si scrive | si scrivono | si salva | si salvano | si consegna |
        prima di | prima che | senza chiedere | senza chiedermi | senza chiedermelo | senza avvisare | senza avvisarmi |
        senza il mio | chiedimi | chiedi prima | chiedi conferma | mi chieda | avvisami | mi avvisi | non toccare |
        non ti azzardare | guai a | basta | bastano | è sufficiente | riservato | riservata | esigo | pretendo |
        mi aspetto |
        passa da | passano da | passa per | passano per | passa dal | passano dal | tassativo | tassativamente |
        per forza | viene prima | vengono prima""",
    "objects": """
        risposte | risposta | messaggi | commit | test | branch | nomi | variabili | funzioni | email | e-mail |
        mail | lettere |
        report | relazioni | tabelle | elenchi | elenco | elenchi puntati | liste | titoli | date | prezzi | unità |
        esempi |
        script | ticket | paragrafi | frasi | emoji | faccine | link | fonti | ricette | commenti | numeri | cifre |
        codice |
        slide | bozze | fatture | testi | traduzioni | gergo | tecnicismi | termini tecnici | abbreviazioni |
        complimenti |
        scuse | spiegazioni | riassunti | descrizioni | suggerimenti | domande | punti elenco | virgolette | password |
        riunioni | appuntamenti | call | voli | alberghi | hotel | ristoranti | grafici | chilometri | grammi |
        italiano |
        inglese | inglesismi | anglicismi | giri di parole | premesse | preamboli | introduzioni | introduzione |
        opzioni |
        maiuscole | maiuscolo | classi | parole | importi | formule di cortesia | formule | orari | righe |
        preventivi | citazioni""",
    "with you": """
        quando mi | quando scrivi | quando fai | quando cerchi | quando rispondi | quando proponi | quando prepari |
        quando devi | quando usi | quando ti | quando ci sono | quando c' è | se mi | se ti | se devi |
        prima che tu | per me |
        con me | a me | mi dia | mi dai | mi scrivi | mi rispondi | mi fai | mi proponi | mi mandi | mi spieghi |
        darmi |
        scrivermi | rispondermi | propormi | mandarmi | farmi | dirmi | parlami | parlarmi | mi parli | spiegami tutto |
        spiegarmi | dammi sempre | chiedimi | le tue risposte | tue risposte | tuoi testi | tuoi riassunti |
        tue spiegazioni | tuoi messaggi | sue risposte | suoi messaggi | ogni volta che | tutte le volte che |
        rispondimi | mi scriva | mi risponda | mi proponga | dammi del | diamoci del""",
    "own": """
        noi | nostro | nostra | nostri | nostre | ci | da noi | il team | la squadra | il gruppo | in ufficio |
        l' ufficio |
        in casa | a casa | casa nostra | qui | qua | nel progetto | in questo progetto | in questo repo | in azienda |
        l' azienda | in ditta | la ditta | a scuola | in negozio | in studio | lo studio | usiamo | abbiamo | facciamo |
        lavoriamo | siamo | stiamo | viviamo | abitiamo | chiudiamo | apriamo | teniamo | paghiamo""",
    "mine": """mio | mia | miei | mie | sono | ho | vivo | abito | lavoro | parlo | mi chiamo | io""",
    "me": """
        vivo a | vivo in | vivo con | abito a | abito in | abito al | abito con | lavoro in | lavoro per | lavoro da |
        lavoro come | lavoro al | lavoro alla | lavoro nel | lavoro nella | lavoro a | lavoro solo | faccio il |
        faccio la |
        faccio l' | faccio i turni | sono celiaco | sono celiaca | sono vegano | sono vegana | sono vegetariano |
        sono vegetariana | sono allergico | sono allergica | sono intollerante | sono diabetico | sono diabetica |
        insegno |
        studio a | studio al | studio per | parlo | mi chiamo | sono nato | sono nata | guido | non guido | non mangio |
        non bevo | mangio | dormo | porto gli occhiali | ho due | ho tre | ho quattro | ho un | ho una | ho un' |
        sono divorziato | sono divorziata | sono separato | sono separata | sono sposato | sono sposata |
        sono in pensione |
        sono pensionato | sono mancino | sono mancina | soffro | sono un | sono una | sono insegnante |
        sono infermiera |
        sono infermiere | sono medico | sono avvocato | siamo un | siamo una | siamo in | gestisco |
        ho iniziato a lavorare |
        mi sono trasferito | mi sono trasferita | mi occupo""",
    "for me": """per me | a me | con me | da me""",
    "people": """
        moglie | marito | sposa | figlio | figlia | figli | figlie | madre | padre | mamma | papà | babbo | sorella |
        fratello | capo | responsabile | direttore | direttrice | compagno | compagna | fidanzato | fidanzata |
        bambino |
        bambina | bambini | gemelli | gemelle | neonato | nipote | nipoti | zia | zio | nonna | nonno | nonni |
        suocera |
        suocero | cognato | cognata | cugino | cugina | genero | nuora | socio | socia | collega | vicino di casa |
        vicina |
        padrone di casa | padrona di casa | inquilino | inquilina | amministratore | commercialista | avvocato |
        notaio |
        dentista | medico | dottore | dottoressa | dott | dottor | pediatra | veterinario | veterinaria | idraulico |
        gatto |
        gatta | cane | cagnolina | cavallo | compleanno | allergic* | allergia | allergie | intollerante |
        intolleranza |
        diabetic* | diabete | celiac* | vegan* | vegetarian* | sordo | sorda | cieco | cieca | incinta | lattosio |
        glutine | noci | nocciole | arachidi | frutta secca | crostacei | si chiama | si chiamano | soprannome |
        signora |
        signor | sig | badante | maestra | tata | babysitter | anni""",
    "systems": """
        server | database | db | produzione | collaudo | staging | preproduzione | ambiente | ambienti | repo |
        repository |
        cluster | api | cron | processo | pipeline | build | ramo | branch | porta | host | vpn | proxy | firewall |
        certificato | token | chiave | chiavi | password | wifi | wi-fi | router | modem | stampante | scanner |
        backup |
        dominio | configurazione | schema | tabella | cache | libreria | docker | postgres | mysql | framework |
        versione |
        licenza | fornitore | fornitori | contratto | fattura | ufficio | magazzino | codice | cancello | portone |
        citofono |
        sala | sala riunioni | allarme | garage | box | cantina | caldaia | contatore | budget | preventivo |
        scadenza | conto |
        iban | servizio | coda | negozio | farmacia | ingresso | endpoint | gestionale | ticket | abbonamento |
        polizza |
        assicurazione | bolletta | affitto | targa | parcheggio | armadio | studio""",
    "states": """
        è | e' | sono | sta | stanno | ha | hanno | vive | abita | gira | girano | si trova | si trovano | costa |
        costano |
        apre | aprono | chiude | chiudono | inizia | iniziano | comincia | finisce | termina | scade | scadono |
        significa |
        vuol dire | serve | servono | appartiene | accetta | accettano | supporta | gestisce | si occupa | si chiama |
        si chiamano | lavora | parla | usa | usano | usiamo | mangia | beve | dorme | preferisce | odia | aspetta |
        riavvia |
        riparte | dipende | viene | vengono | passa | esce | arriva | arrivano | cambia | può | possono | porta |
        contiene |
        impiega | firma | dirige | riceve | vuole | vogliono | condivide | risponde | rispondono | non ha | non c' è |
        non ci sono | c' è | ci sono | va | vanno | resta | rimane | restituisce | richiede | paga | tiene | fa |
        frequenta |
        consegna | manda | compie | abbiamo""",
    "contrast": """
        e non | , non | non .. ma | ma non | bensì | invece | invece di | invece che | al posto di | al posto del |
        anziché |
        piuttosto che | non più | non .. più | prima | adesso | ora | una volta era | in realtà | veramente | di fatto |
        a dire il vero | anzi | al contrario | viceversa | rinominato | rinominata | cambiato | cambiata | spostato |
        spostata | sostituito | sostituita | rimosso | rimossa | eliminato | vecchio | vecchia | vecchi | ex | non è |
        non sono | non sta | non ha | non era | era | erano | l' altro | l' altra | ma | però | da quando | non il |
        non lo |
        non la | non i | non gli | non le | non l' | non un | non una | non in | non a | non al | non alla | non di |
        non del |
        non da | non con | non per | quello giusto | quella giusta | mica""",
    "denies": """
        è il .. vecchio | è quello vecchio | è quella vecchia | è la vecchia | è il vecchio | hai messo | hai scritto |
        guarda meglio | riguarda | ricontrolla | ops | è invertito | sono invertiti | è l' altro | è l' altra |
        viene prima |
        guarda che | guardi che | ^no | ^falso | ^errore | ^errato | ^sbagliato | ^macché | ^per niente |
        ^niente affatto |
        ^assolutamente no | ^non esattamente | ^non proprio | ^non è proprio | ^attento | ^occhio | ^quasi |
        ^in realtà |
        ^veramente | ^a dire il vero | ^correzione | ^ma no | ^ma quando mai | ^ma non | ti sbagli | si sbaglia |
        ti stai sbagliando |
        sbagli | hai sbagliato | ha sbagliato | sbagliato | sbagliata | sbagliati | sbagliate | ti confondi | confondi |
        stai confondendo | ti sei confuso | ti sei confusa | confuso | confusa | hai confuso | hai scambiato |
        hai invertito |
        mescoli | mischiato | è falso | errato | errata | errati | scorretto | inesatto | inesatta | non aggiornato |
        superato | superata | obsoleto | obsoleta | non è così | non è corretto | non è vero | non è giusto |
        non è esatto |
        non è quello che | non va bene | non torna | da dove hai | dove hai preso | chi ti ha detto |
        chi l' ha detto | chi ha detto |
        non esiste | non esistono | mai detto | non ho detto | non ho mai | non ti ho | al contrario | malinteso |
        frainteso |
        hai capito male | capito male | mi sono sbagliato | mi sono sbagliata | il contrario | nemmeno | neanche |
        neppure |
        semmai | ti è sfuggito | ti è sfuggita |
        non è .. , è | non sono .. , sono | non si chiama .. , si chiama""",
    "you did": """
        hai messo | hai scritto | hai detto | hai usato | hai contato | hai cambiato | hai cancellato | hai tolto |
        hai aggiunto |
        hai fatto | hai preso | hai calcolato | hai indicato | hai tradotto | hai considerato | hai chiamato |
        hai inserito |
        hai dimenticato | hai saltato | hai lasciato | hai capito | hai proposto | hai dato | hai mandato |
        hai invertito |
        hai confuso | hai scambiato | hai sbagliato | ha scritto lei | lei ha scritto | mi hai | ci hai | l' hai |
        li hai | le hai |
        lo hai | ti sei | stai usando | stai scrivendo | stai confondendo | continui a | continui | metti ancora |
        hai continuato | credi che | pensi che | la tua lista | il tuo elenco | la tua versione | il tuo riassunto |
        il tuo testo | la tua bozza | la tua risposta | la tua data | tu dici | tu scrivi | come dici tu | mi dai |
        usi | metti |
        chiami | conti""",
    "lesson": """
        l' ultima volta | l'ultima volta | l' altra volta | l' anno scorso | il mese scorso | la scorsa volta |
        ho imparato |
        abbiamo imparato | imparato | lezione | è venuto fuori | si è scoperto | abbiamo scoperto | ci è costato |
        mi è costato |
        ci è costata | abbiamo perso | ho perso | è andata male | è andato storto | sennò | se no | altrimenti |
        in caso contrario | per questo | perciò | ecco perché | attenzione | occhio | trappola | ci siamo scottati |
        già due volte | ci è già successo | è già successo | ci hanno | così non | per evitare | per non""",
    "settles": """
        non apriamo | chiudiamo i | spegniamo | traslochiamo | ci trasferiamo | lascio il | lascio la | lascio lo |
        vendo |
        compro | accetto | ho accettato | ho rifiutato | abbiamo rifiutato | rifiutato | abbiamo assunto | assunto |
        assumiamo | firmiamo | partiamo il | partiamo con | si parte | si chiude | si vende | si tiene | si resta |
        si va |
        si fa a | si passa | resta aperto | è escluso | escluso | esclusa | scartato | scartata | scartiamo |
        abbiamo scartato |
        decisione presa | è fatta | deciso | decisa | decisione | decidiamo di | decidiamo per | hanno deciso |
        ha deciso |
        scelto | scelta | scegliamo | la scelta è | concordato | concordata | accordo | siamo d' accordo |
        tutti d' accordo |
        ci siamo accordati | siamo rimasti | rimaniamo che | restiamo che | votato | ha votato | optato | optiamo |
        opto |
        stabilito | stabilita | teniamo | tengo | prendiamo | prendo il | prendo la | prendo quello | prendo quella |
        andiamo con | andiamo su | andiamo di | vado con |
        vada per | passiamo a | passiamo al | passiamo alla | siamo passati | abbandoniamo | abbandonato | smettiamo |
        molliamo | mollo | restiamo su | restiamo con | restiamo a | resto con | continuiamo con | vendiamo |
        abbiamo venduto |
        abbiamo comprato | ho comprato | compriamo | ho disdetto | abbiamo disdetto | alla fine | finalmente |
        è deciso |
        chiuso | chiusa | firmato | abbiamo firmato | ho firmato | prenotato | ho prenotato | abbiamo prenotato |
        annullato |
        annullata | cancellata | rimandato | rimandata | rinviato | rinviata | spostato al | spostata al | sarà |
        saranno |
        definitivo | definitiva | definitivamente | via libera | approvato | approvata | all'unanimità |
        non andiamo più |
        non faremo | non si fa più | scommettiamo su | puntiamo su | ha vinto | vince | e basta | punto e basta |
        affare fatto |
        ha detto sì | ha detto di sì | ha detto di no | ha detto no | hanno detto di sì | non compriamo | caparra |
        è già prenotato | è già ordinato | mi iscrivo | ci siamo messi d' accordo | messi d' accordo | mi licenzio |
        useremo |
        faremo | confermato | confermata | ce ne andiamo""",
    "tastes": """
        giri di parole | senza fronzoli | fronzoli | papiri | pappardelle | mi perdo | dammi del | diamoci del |
        dare del |
        mi dia del | del lei | del tu | al sodo | al punto | dritto al | subito al | mi stanca | mi stancano |
        mi annoia | mi annoiano |
        pesante | preferisco | preferirei | preferiamo | mi piace | mi piacciono | mi piacerebbe | adoro | amo |
        non mi piace |
        non mi piacciono | odio | detesto | non sopporto | non reggo | non tollero | mi dà fastidio |
        mi danno fastidio |
        mi infastidisce | mi infastidiscono | mi irrita | mi irritano | mi innervosisce | mi innervosiscono |
        sui nervi |
        mi confonde | mi confondono | mi mette | mi mettono | troppo lungo | troppo lunga | troppo lunghe |
        troppo lunghi |
        troppo formale | troppo | troppe | troppi | troppa | più corto | più corta | più corte | più brevi | corto |
        corta |
        corte | corti | breve | brevi | conciso | concisa | concise | sintetico | sintetica | sintetiche |
        stringato | semplice |
        semplici | chiaro | diretto | diretta | senza | meno | ^niente | , niente | e niente |
        quindi niente | evita | eviti | evitate | smettila | smetti | smetta |
        piantala | basta con | basta coi | chiamami | mi chiami | mi puoi chiamare | trattami | piuttosto | meglio |
        meglio se | mi trovo bene | mi trovo meglio | mi basta | mi bastano | mi va bene | voglio | non voglio |
        non mangio |
        non bevo | non prendo | risparmiami | risparmiati | non serve | non servono | non c' è bisogno | non occorre |
        non ho bisogno | non mi | sono più da | sono tipo da | sono uno che | sono una che | il mio stile | preferito |
        preferita | preferiti | favorito | a me piace | a me piacciono | tono | per favore senza | scrivile |
        scrivili | mettile | mettili | tienile |
        tienili | falle | falli | poche righe | due righe""",
    "order": """
        ^usa | ^usi | ^usate | ^utilizza | ^metti | ^metta | ^scrivi | ^scriva | ^scrivimi | ^rispondi | ^rispondimi |
        ^risponda | ^mi risponda | ^mi scriva | ^dai | ^dammi | ^mi dia | ^mostra | ^mostrami | ^chiedi | ^chiedimi |
        ^mi chieda |
        ^di' | ^dimmi | ^fai | ^fa | ^faccia | ^aggiungi | ^lascia | ^lasci | ^evita | ^eviti | ^inizia | ^comincia |
        ^parti | ^finisci | ^termina | ^tieni | ^mantieni | ^tenga | ^non | ^niente | ^mai | ^sempre | ^basta |
        ^smettila |
        ^smetti | ^cita | ^arrotonda | ^parla | ^parlami | ^chiama | ^chiamami | ^firma | ^prenota | ^avvisa |
        ^avvisami |
        ^esegui | ^senza | ^solo | ^dimentica | ^trattami | ^diamoci | ^indica | ^specifica | ^spiega sempre |
        ^proponi |
        ^proponimi | ^ordina | ^limitati | ^cerca di""",
    "task": """
        ^traduci | ^traduca | ^traducimi | ^riassumi | ^riassumimi | ^correggi | ^correggimi | ^riformula | ^riscrivi |
        ^redigi | ^scrivimi un | ^scrivimi una | ^scrivi un | ^scrivi una | ^scrivi un' | ^spiega | ^spiegami | ^dammi |
        ^mostrami | ^dimmi | ^cerca | ^cercami | ^trova | ^trovami | ^fammi | ^fai un | ^fai una | ^fai il |
        ^fai la | ^crea |
        ^calcola | ^confronta | ^aiutami | ^guarda | ^controlla | ^rivedi | ^leggi | ^accorcia | ^suggerisci |
        ^suggeriscimi | ^consigliami | ^pianifica | ^cancella | ^elimina | ^rinomina | ^cambia | ^aggiungi | ^togli |
        ^costruisci | ^prova | ^testa | ^lancia | ^esegui | ^accendi | ^spegni | ^puoi | ^potresti | ^può | ^potrebbe |
        ^mi puoi | ^mi potresti | ^mi fai | ^mi dai | ^mi traduci | ^mi scrivi | ^che cosa | ^cosa | ^cos'è | ^qual |
        ^quale |
        ^quali | ^come | ^com'è | ^perché | ^perchè | ^chi | ^quando | ^dove | ^dov'è | ^quanto | ^quanti | ^quante |
        ^ho bisogno | ^abbiamo bisogno | ^mi serve | ^mi servono | ^ci serve | ^vorrei che | ^vorrei un | ^vorrei una |
        ^immagina | ^elenca | ^elencami | ^genera | ^prepara | ^preparami | ^manda | ^mandami | ^invia | ^ordina |
        ^sistema |
        ^che ore | ^che ne | ^raccontami | ^inventa | ^apri | ^chiudi | ^installa | ^aggiorna | ^sposta | ^sostituisci |
        ^implementa | ^completa | ^continua | ^verifica | ^analizza | ^proponimi | ^prenota""",
    "the one": """
        questo file | il file | questa funzione | la funzione | questo paragrafo | il paragrafo | questo testo |
        il testo |
        questa mail | questa email | la mail | l' email | questa lettera | la lettera | questo script | lo script |
        questo codice | il codice qui | questo test | il test | questo errore | quest'errore | l' errore |
        questa lista |
        questo elenco | quest'elenco | questa tabella | la tabella | qui sotto | qui sopra | sotto | sopra | seguente |
        questa pagina | la pagina | il log | questo ramo | questo branch | questa frase | la frase | la riga | riga |
        capitolo | allegato | in allegato | questo messaggio | questo articolo | quest'articolo | il pulsante |
        il thread""",
    "now": """
        oggi | stasera | stanotte | domani | dopodomani | adesso adesso | subito | proprio adesso | proprio ora |
        stavolta |
        questa volta | solo stavolta | solo questa volta | solo per questo | solo per questa | per oggi | per ora |
        per adesso | per il momento | al momento | in questo momento | ieri | stamattina | stamani | dopo | più tardi |
        tra poco | tra un po | fra poco | non ancora | la settimana prossima | la prossima settimana |
        settimana prossima |
        lunedì prossimo | questa settimana | tra un'ora | fra un'ora | eccezionalmente | in via eccezionale |
        una volta sola |
        una sola volta | solo qui | nel frattempo | poco fa""",
    "trouble": """
        qualcosa non va | qualcosa che non va | c' è qualcosa di | non torna qualcosa | errore | errori | fallisce |
        falliscono |
        fallito | rotto | rotta | bug | bloccato | bloccata | si blocca | si bloccano | piantato | si pianta | crash |
        crasha | non funziona | non funzionano | non va più | non parte | non si apre | non si avvia | non carica |
        non si carica | non compare | non appare | non si vede | non risponde | lento | lenta | lentissimo |
        lentissima |
        caduto | è giù | lampeggia | strano | strana | nessuna idea | boh | all'improvviso | improvvisamente |
        di colpo | avvertenza | si rompe | dà errore | di nuovo si | warn | non compila | non riesco""",
    "doubt": """
        forse | magari | può darsi | chissà | potremmo | potrebbe | dovremmo | sarebbe | sarebbero | e se | se ci |
        se fosse |
        se fossi | supponiamo | supponi | ipotizziamo | immagina | immaginiamo | mettiamo che | dubito | in dubbio |
        indeciso | indecisa | indecisi | non so | non sappiamo | non sono sicuro | non sono sicura | non siamo sicuri |
        non ho ancora deciso | non abbiamo ancora | mi chiedo | un giorno | probabilmente | credo che | credo di |
        penso che |
        penso di | mi sa che | spero | vedremo | si vedrà | vediamo | avessi | avesse | avessimo | fosse | fossimo |
        avrei |
        avrebbe | ci sto pensando | sto pensando | stiamo pensando | pensarci | da decidere | stiamo valutando |
        sto valutando""",
    "said": """
        dice | dicono | disse | diceva | ha detto | hanno detto | scrive | ha scritto | hanno scritto | afferma |
        sostiene |
        assicura | chiede | ha chiesto | racconta | secondo | citazione | recensione | cliente | alunno | alunna |
        studente |
        critica | pare che | sembra che | a quanto pare | lei | lui | l' articolo | pensa che | crede | pensa |
        a detta""",
    "thanks": """
        grazie | grazie mille | paziente | gentile | gentilissimo | gentilissima | mi salvi | mi aiuti | mi deludi |
        fantastico | perfetto | ottimo | buongiorno | buonasera | buonanotte | buon weekend | ciao | salve |
        arrivederci |
        a domani | a presto | come va | come stai | tutto bene | va bene così | ahah | ahahah | haha | ahaha |
        bravo | brava |
        bravissimo | grande | mitico | figo | stanco | stanca | distrutto | distrutta | caldo | freddo | piove |
        weekend |
        contento | contenta | felice | funziona | evviva | che bello | scusa il | figurati | prego | buona giornata |
        buona serata | non vedo l' ora""",
    "story": """
        ho appena | stavo | ho provato | ho visto | sono andato | sono andata | siamo andati | siamo andate |
        sono stato |
        sono stata | sono a | sto cercando | sto provando | sto facendo | sto scrivendo | sto leggendo |
        sto guardando | ho dovuto | devo |
        dovevo | cerco | eravamo | stavamo | abbiamo avuto | avevo | mi ha | mi è | ho fatto | ho passato | ho dormito |
        mi sono""",
    "intent": """
        voglio | vorrei | vado a | andiamo a | devo | dobbiamo | ho bisogno | abbiamo bisogno | mi serve |
        mi servono | dovremmo |
        continua | procedi | vai avanti | avanti | comincia da | parti da | proviamo | provo a | facciamo un""",
    "chat": """
        bello | bella | bellissimo | bellissima | meraviglioso | meravigliosa | stupendo | stupenda | buona idea |
        bell'idea |
        ottima idea | buona fortuna | in bocca al lupo | suona bene | orgoglioso | orgogliosa | divertente |
        emozionante |
        molto meglio | mi fa piacere | che bello | che bella | emozionato | emozionata | carino | carina |
        complimenti per""",
    "points": """questo | questa | questi | queste | quello | quella | quelli | quelle | così | ciò""",
    "fiction": """
        film | libro | romanzo | canzone | gioco | poesia | racconto | fiaba | favola | personaggio | barzelletta |
        indovinello | scena | quiz | storia | storiella | protagonista""",
}
