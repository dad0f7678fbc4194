"""Evidence of French; `weights.py` says what each group is for, `phrases.py` how a phrase is written."""

LEADS = """ok oui et mais aussi alors donc ah oh euh hum bon bien voilà tiens dis hé merci attends encore puis sinon bref stp svp
    d'accord au fait ben enfin"""

GROUPS = {
    "memo": """
        retiens | à retenir | retenir | note : | ^note : | note que | note-le | note ça | prends note | à noter | noter que |
        note bien que | souviens-toi | rappelle-toi | rappelez-vous | n' oublie pas | n' oubliez pas | garde en mémoire |
        garde à l' esprit | garde en tête | garde .. sous | garde .. quelque part | à garder | mémorise | enregistre que |
        enregistre ça quelque | enregistre dans ta | pour info | pour information | pour la suite | pour plus tard |
        pour la prochaine | pour l' avenir | la prochaine fois | sache que | à savoir | bon à savoir | pour mémoire |
        mets .. dans tes notes | dans tes notes | dans ta mémoire | inscris | consigne | ^important | ^info | ^rappel |
        ^attention | conserve | au cas où | tu en auras | tu auras besoin | classe .. quelque part | ne perds pas |
        si on te demande | au passage""",
    "lasting": """
        toujours | jamais | chaque | tous les | toutes les | tout | toute | tous | toutes | partout | par défaut | en général |
        généralement | désormais | dorénavant | à partir de maintenant | à partir d' aujourd'hui | à partir de | dès maintenant |
        à l' avenir | sans exception | systématiquement | quoi qu' il arrive | quel que soit | quelle que soit | à chaque fois |
        à chaque | une fois pour toutes | pour toujours | en permanence | depuis toujours | depuis le début |
        jusqu' à nouvel ordre | au maximum | au plus | au moins | maximum | uniquement | seulement | exclusivement | ne .. que |
        sauf | sauf si | aucun | aucune | plus jamais | plus de | en toutes circonstances | d' habitude | normalement | dès que |
        tant que""",
    "calendar": """
        le lundi | le mardi | le mercredi | le jeudi | le vendredi | le samedi | le dimanche | les lundis | les mardis |
        les mercredis | les jeudis | les vendredis | tous les soirs | tous les jours | toutes les nuits | chaque semaine |
        chaque mois | chaque année | chaque jour | par semaine | par mois | par an | la nuit | le matin | le soir | le week-end |
        en fin de mois | hebdomadaire | mensuel | quotidien | en août | en été | en hiver | une fois par | deux fois par""",
    "must": """
        on évite | jamais la | jamais le | jamais de | pas avant | pas après | seulement après | pas sans | sans prévenir |
        que des | n' a que | n' ont que | par la porte | doit | doivent | il faut | ne faut pas | devrait | devraient | faudrait |
        interdit | interdite | interdits | obligatoire | obligatoires | autorisé | autorisée | réservé | réservée | va dans |
        vont dans | se met | se mettent | se range | reste | restent | avant de | avant que | sans me demander | sans mon accord |
        demande-moi | demande d' abord | préviens-moi | ne touche pas | ne touche jamais | suffit | suffisent | il suffit |
        pas question | hors de question | est tabou | exige | passe par | passent par | vient avant | j' attends | j' exige""",
    "objects": """
        réponses | réponse | messages | commits | tests | branches | noms | variables | fonctions | mails | e-mails | courriels |
        lettres | rapports | tableaux | listes | titres | dates | prix | unités | exemples | scripts | tickets | paragraphes |
        phrases | émojis | emojis | smileys | liens | sources | recettes | commentaires | chiffres | nombres | code | diapos |
        brouillons | factures | textes | traductions | jargon | anglicismes | abréviations | compliments | excuses |
        explications | résumés | descriptions | suggestions | questions | puces | guillemets | notes de bas | mots de passe |
        réunions | rendez-vous | vols | hôtels | restaurants | graphiques | kilomètres | grammes | prénoms | français | anglais |
        formules de politesse | introduction | introductions | majuscules""",
    "with you": """
        quand tu | si tu | avant que tu | lorsque tu | dès que tu | pour moi | avec moi | à moi | tu me | quand je te | si je te |
        quand je | tes réponses | tes textes | tes résumés | tes explications | tes messages | chaque fois que tu | me répondre |
        m' écris | m' envoies | me donnes | me proposes | me fais""",
    "own": """
        nous | notre | nos | on | l' équipe | chez nous | ici | au bureau | à la maison | dans ce projet | dans ce dépôt |
        la boîte | l' entreprise | la société | le cabinet | l' école | le club | l' association""",
    "mine": """mon | ma | mes | je suis | j' ai | j' habite | je travaille | je parle | je m' appelle | moi""",
    "me": """
        j' habite | je vis | je travaille | j' enseigne | je suis allergique | je parle | je m' appelle | je suis végétarien |
        je suis végétarienne | je conduis | j' étudie | je suis originaire | je dirige | je m' occupe | je mange | je bois |
        je dors | je porte | j' ai deux | j' ai trois | j' ai un | j' ai une | je suis divorcé | je suis retraité |
        je suis gaucher | je souffre | je suis née | je suis né | je suis prof | je suis infirmière | je bosse | nous sommes un |
        nous sommes une | on est une | je tiens un | je tiens une""",
    "for me": """pour moi | moi | avec moi""",
    "people": """
        femme | mari | fils | fille | mère | père | maman | papa | sœur | soeur | frère | chef | cheffe | patron | patronne |
        conjoint | enfant | enfants | jumeaux | bébé | neveu | nièce | tante | oncle | mamie | papi | belle-mère | collègue |
        voisin | voisine | propriétaire | comptable | dentiste | médecin | docteur | dr | vétérinaire | chat | chien | cheval |
        anniversaire | allergique | allergie | allergies | intolérant | intolérante | diabétique | cœliaque | végétarien |
        végétarienne | végane | vegan | sourd | sourde | aveugle | enceinte | lactose | gluten | noix | arachides | s' appelle |
        prénom | surnom | mme | madame | monsieur | m""",
    "systems": """
        serveur | serveurs | base | base de données | production | prod | préprod | recette | dépôt | cluster | api | cron |
        tâche | pipeline | build | branche | port | hôte | vpn | proxy | pare-feu | certificat | jeton | clé | clef |
        mot de passe | wifi | box | imprimante | scanner | sauvegarde | sauvegardes | domaine | config | configuration | schéma |
        table | cache | bibliothèque | docker | postgres | mysql | version | licence | fournisseur | contrat | facture | bureau |
        entrepôt | porte | code | portail | salle | alarme | garage | chaudière | compteur | budget | échéance | compte | service""",
    "states": """
        est | sont | a | ont | habite | vit | tourne | tournent | se trouve | se trouvent | coûte | coûtent | ouvre | ferme |
        commence | finit | termine | expire | signifie | veut dire | a besoin | appartient | accepte | acceptent | supporte |
        gère | s' occupe | s' appelle | s' appellent | travaille | parle | utilise | utilisons | utilisent | mange | boit | dort |
        aime | déteste | attend | redémarre | dépend | vient | viennent | passe | part | arrive | change | peut | peuvent |
        prend | contient | correspond | répond | signe | dirige | reçoit | veut | veulent | n' a pas | n' est pas | n' ont pas |
        il y a | il n' y a | c' est | va""",
    "contrast": """
        et non | , pas | et pas | mais | au lieu | plutôt que | pas .. mais | ne .. plus | n' est plus | n' a plus | avant |
        maintenant | désormais | autrefois | anciennement | en fait | en réalité | contrairement | l' inverse | à l' envers |
        renommé | renommée | déménagé | remplacé | remplacée | supprimé | parti | partie | ancien | ancienne | n' est pas |
        ne sont pas | n' était pas | n' a pas | ce n' est pas | c' est | c' était | depuis | l' autre | pas le | pas la |
        pas les | pas un | pas une | pas à | pas en | pas au""",
    "denies": """
        c' est l' ancien | c' est l' ancienne | c' était l' ancien | regarde encore | petit souci | erreur dans | t' as mis |
        tu as mis | euh | au contraire | mais c' est | en revanche | c' est l' autre | c' est l' inverse | ^non | ^faux |
        ^erreur | ^pas du tout | ^pas tout à fait | ^pas exactement | ^attention | ^presque | ^en fait | ^correction |
        te trompes | tu confonds | confonds | confondu | mélangé | mélanges | c' est faux | faux | fausse | erroné | erronée |
        inexact | incorrect | incorrecte | périmé | obsolète | dépassé | ce n' est pas ça | n' est pas juste | pas bon |
        pas le bon | pas la bonne | mauvais | mauvaise | d' où sors-tu | d' où tu sors | qui t' a dit | n' existe pas |
        je n' ai jamais | pas ce que | à l' envers | mal compris | mal lu | trompé | trompée | ^mais non | ^si""",
    "you did": """
        tu as | tu avais | tu es | tu étais | tu mets | tu écris | tu dis | tu utilises | tu prends | tu fais | tu appelles |
        tu confonds | tu comptes | tu oublies | tu continues | t' es | tu t' es | tu crois | tu penses | ta liste | ta version |
        ton résumé | ton texte | ton brouillon | ta réponse | ta date | comme tu | tu vas""",
    "lesson": """
        la dernière fois | l' an dernier | l' année dernière | le mois dernier | appris | leçon | retenu la leçon | il s' avère |
        on s' est fait | nous a coûté | m' a coûté | perdu | mal tourné | sinon | du coup | donc | c' est pourquoi | à cause de |
        piège | méfie-toi | gare | nous est revenu | est revenu | s' est mal | deux fois déjà | plus jamais ça""",
    "settles": """
        on part | c' est non | c' est oui | ce sera un | ce sera une | je garde | je vends | j' achète | je quitte |
        je démissionne | on signe | a tranché | on supprime | remplacé par | est supprimé | on embauche | embauché | feu vert |
        retenue | adopté | adoptée | refusé | refusée | accepté | acceptée | aura lieu | décidé | décidée | décision | décidons |
        choisi | choisie | choisissons | tranché | convenu | accord | d' accord sur | voté | retenu | opté | optons | part sur |
        partons sur | partir sur | on garde | gardons | on prend | prenons | on passe à | passons à | on abandonne | abandonnons |
        on arrête | arrêtons | on reste | restons | on va | on laisse tomber | on change | on vend | on achète | on déménage |
        on ne .. plus | finalement | au final | c' est réglé | c' est acté | acté | actée | validé | validée | signé | signée |
        j' ai réservé | on a réservé | annulé | annulée | reporté | reportée | ce sera | c' est décidé | c' est définitif |
        définitif | définitivement | à l' unanimité | l' emporte | enterré | exit | plus question | on fera | je prends |
        je pars sur | je reste | on mise | on bascule | basculons | remplace | remplacera | approuvé | approuvée | a dit oui |
        a dit non | on n' achète pas | acompte est | est commandé | le nom reste""",
    "tastes": """
        très peu pour moi | à rallonge | m' horripile | m' exaspère | me saoule | fait pas sérieux | au but | sans blabla |
        blabla | sans chichis | me perd | je m' y perds | ras le bol | mets-en | n' aime pas qu' | préfère | préfères |
        préférerais | j' aime | j' adore | je déteste | je n' aime pas | j' aimerais | je hais | horreur | ne supporte pas |
        supporte pas | m' agace | m' énerve | m' agacent | me gêne | me fatigue | me fatiguent | m' ennuie | trop long |
        trop longue | trop longues | trop longs | trop court | trop de | trop formel | trop verbeux | plus court | plus courte |
        plus courtes | court | courte | courtes | bref | brève | brèves | concis | concise | concises | simple | simples |
        direct | droit au but | sans | moins de | pas de | évite | évitez | arrête | arrêtez | cesse | tutoie | vouvoie |
        tutoies | vouvoies | appelle-moi | appelles | plutôt | de préférence | me suffit | me suffisent | me va | me convient |
        je veux | je ne veux pas | je ne mange | je ne bois | je ne | épargne-moi | inutile de | pas besoin | laisse tomber |
        je lis | je pense en | s' il te plaît pas | je suis plutôt | mon style | favori | préféré | préférée""",
    "order": """
        ^utilise | ^utilisez | ^mets | ^mettez | ^écris | ^écrivez | ^réponds | ^répondez | ^donne | ^montre | ^demande | ^dis |
        ^fais | ^faites | ^ajoute | ^laisse | ^évite | ^commence | ^termine | ^garde | ^ne | ^n' | ^pas | ^jamais | ^toujours |
        ^tutoie | ^arrête | ^cite | ^arrondis | ^parle | ^appelle | ^nomme | ^signe | ^réserve | ^préviens | ^vérifie | ^lance |
        ^plus de | ^aucun | ^aucune | ^uniquement | ^cesse | ^oublie | ^pour""",
    "task": """
        ^traduis | ^traduisez | ^résume | ^résumez | ^corrige | ^corrigez | ^reformule | ^rédige | ^écris-moi | ^écris une |
        ^écris un | ^explique | ^explique-moi | ^donne-moi | ^montre-moi | ^dis-moi | ^cherche | ^trouve | ^fais-moi | ^fais un |
        ^fais une | ^crée | ^calcule | ^compare | ^aide-moi | ^aide | ^regarde | ^vérifie | ^lis | ^raccourcis | ^propose |
        ^propose-moi | ^planifie | ^supprime | ^renomme | ^change | ^ajoute | ^construis | ^teste | ^lance | ^exécute | ^peux-tu |
        ^pourrais-tu | ^tu peux | ^tu pourrais | ^est-ce | ^qu' | ^que | ^quel | ^quelle | ^quels | ^quelles | ^comment |
        ^pourquoi | ^qui | ^quand | ^où | ^combien | ^j' ai besoin | ^je voudrais | ^il me faut | ^imagine | ^liste | ^génère |
        ^prépare | ^mets | ^c' est quoi""",
    "the one": """
        ce fichier | le fichier | cette fonction | la fonction | ce paragraphe | le paragraphe | ce texte | le texte | ce mail |
        le mail | cette lettre | la lettre | ce script | le script | ce code | le code | ce test | les tests | cette erreur |
        l' erreur | cette liste | ce tableau | ci-dessous | ci-dessus | suivant | suivante | cette page | ce log | cette branche |
        cette phrase | la phrase | la ligne | ligne | chapitre | pièce jointe | ci-joint""",
    "now": """
        aujourd'hui | ce soir | demain | tout de suite | cette fois | cette fois-ci | juste pour | pour cette | pour ce |
        uniquement pour ce | pour l' instant | pour le moment | en ce moment | hier | ce matin | tout à l' heure | pas encore |
        d' abord | la semaine prochaine | lundi prochain | cette semaine | dans une heure | exceptionnellement | une seule fois |
        juste ici""",
    "trouble": """
        un truc faux | quelque chose .. faux | quelque chose ne va pas | cloche | erreur | erreurs | plante | planté | cassé |
        cassée | bug | bloqué | bloquée | ne marche pas | ne marche plus | marche pas | ne fonctionne pas | ne fonctionne plus |
        fonctionne pas | ne démarre | ne s' affiche | échoue | lent | lente | en panne | panne | clignote | bizarre |
        aucune idée | soudain | tout à coup | avertissement | encore une fois | refuse de""",
    "doubt": """
        peut-être | pourrait | pourrions | devrait-on | serait | si on | si nous | si j' | suppose | supposons | imagine |
        j' hésite | hésite | hésitons | pas sûr | pas sûre | pas encore décidé | je ne sais pas | sais pas | je me demande |
        éventuellement | un jour | probablement | sans doute | je crois | je pense que | j' espère | et si | on verra | aurait |
        avait | réfléchis | réfléchissons | faut-il""",
    "said": """
        dit | dis-tu | disait | a dit | écrit | a écrit | affirme | prétend | demande | raconte | selon | d' après | citation |
        avis | client | cliente | élève | critique | il paraît | elle | il dit | l' article | le commentaire""",
    "thanks": """
        merci | patient | patiente | c' est bon | gentil | déçu | déçue | super | génial | parfait | parfaite | bonjour |
        bonsoir | salut | coucou | bonne | bravo | ça va | mdr | haha | cool | nickel | au revoir | à demain | fatigué |
        fatiguée | il pleut | week-end | content | contente""",
    "story": """
        je viens de | j' étais | j' ai essayé | j' ai fait | j' ai reçu | j' ai vu | je suis allé | je suis allée |
        je suis en train | j' ai eu | je dois | j' essaie | je cherche | nous étions | on était | on a eu | j' avais""",
    "intent": """
        je veux | je voudrais | je vais | on va | il faut que je | j' ai besoin | nous devons | on devrait | continue | vas-y |
        commence par | je vais essayer | allons-y | on y va""",
    "chat": """
        magnifique | belle | beau | formidable | chouette | j' ai hâte | bonne idée | bonne chance | ça a l' air | content |
        contente | fier | fière | drôle | passionnant | bien meilleure | bien mieux | merveilleux""",
    "points": """ça | cela | ce | cette | ces | ceci | le faire | comme ça""",
    "fiction": """film | livre | roman | chanson | jeu | poème | histoire | personnage | conte | blague | devinette | scène | quiz""",
}
