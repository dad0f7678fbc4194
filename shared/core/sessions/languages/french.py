"""Cues of French."""

from shared.core.sessions.languages.language import Phrases

_TROUBLE = r"(?:échou\w*|plant\w*|marche\w*|fonctionn\w*|bloqu\w*|erreur|lent\w*|démarr\w*|compil\w*|casse\w*|charge|affiche|comprends|sais)"
_FILES = r"(?:mémoire|memory|notes?|claude\.md|agents\.md|gemini\.md|memory\.md|règles|consignes)"

FRENCH = Phrases(
    code="fr",
    words="""chez suis finalement appelle de en à y d l j c n s qu me te lui leur déteste adore partir réponds arrête arrêtez voulais le la les un une des du et est pas que qui dans pour sur avec nous on je tu vous il elle ce cette ces au aux ne
        mais non oui plus jamais toujours utilise faut sont avons mon ma mes notre nos votre se sans plutôt lieu désormais
        retiens souviens bon être fait été par comme préfère décidé peux pourrais""",
    lead=r"ok(?:ay)?|oui|d'accord|bon|bien|super|merci|alors|et|mais|ah|oh|hm+|non|s'il (?:te|vous) pla[iî]t|stp|attends?|en fait|donc",
    question=r"<head>(?:(?:c'est|est-ce) vrai que(?=[^,]{0,200}$)|pourquoi|comment|quand(?=[^,]{0,200}$)|où|qui|quel(?:le)?s?|combien|qu'est-ce|est-ce|que (?:fait|veut|signifie)|"
    r"je me demande|je ne (?:sais|me souviens|me rappelle)(?: pas| plus)|je (?:sais|me souviens) (?:pas|plus)|aucune idée|(?:peux|pourrais|pouvez)-(?:tu|vous) (?:m'|me |nous )?(?:expliquer|dire|montrer))\b",
    request=r"<head>(?:(?:peux|pourrais|pouvez|pourriez|veux)-(?:tu|vous)\b|tu peux\b|tu pourrais\b|on peut\b|on pourrait\b|je (?:vais|veux que tu|"
    r"voudrais|aimerais)\b|(?:ajoute|corrige|crée|écris|supprime|enlève|renomme|déplace|vérifie|regarde|montre|lance|exécute|"
    r"implémente|teste|lis|cherche|explique|résume|committe|pousse|donne|mets|remplace|modifie|change|installe|génère|continue|fais)z?\b)",
    moment=r"<head>attend(?:s|ez)\b|\b(?:pour cel(?:ui|le)-(?:ci|là)|toujours (?:pas|cassé|en panne|la même)|pas encore|pour l'instant|pour le moment|cette fois|tout de suite|d'abord|jusqu'à ce que)\b",
    reported=r"^(?!\W{0,8}(?:je|j'ai|nous|on)\b)[^:\n]{2,80}\b(?:dit|disait|écrit|écrivait|affirme|indique|commente|commentaire|erreur|message|log|sortie|prétend)"
    r"\b[^:\n]{0,40}:|^\W{0,8}(?:selon|d'après)\b|^\W{0,8}(?:avertissement|erreur)\s?:|<head>(?:traduis|traduisez|résume|résumez|reformule|relis)\b[^:\n]{0,60}:|"
    r"^\W{0,8}(?!(?:je|j'ai|nous|on|tu|vous)\b)(?:[\w'-]+ ){1,4}(?:dit|disait|pense|prétend|affirme|répète)\b(?! (?:moi|nous|oui|non)\b)|^\W{0,8}dans (?:le|la|un|une|ce) (?:livre|roman|film|article|jeu|série|journal)\b|"
    r"(?<!ai )(?<!avons )\b(?:dit|pense|affirme|prétend|trouve) (?:que|qu')|"
    r"<head>(?:corrige|améliore|raccourcis|rends|réécris)z?\b[^:\n]{0,60}:|<head>il était une fois\b",
    idle=r"^\W{0,8}(?!(?:je|j'|j'ai|nous|on|tu|vous|si|ton|ta|tes|retiens|note)\b)(?![^\n]{0,400}\bmais\b)(?:[\w'-]+ ){1,4}(?:pense|croit|jure|estime|disait toujours|dit toujours|est (?:convaincu|persuadé)e?)\b|"
    r"<head>(?:supposons|imagine(?:z|ons)?|admettons|mettons que|et si|si (?:je |j'|on |nous )(?:\w+ )?\w{2,20}(?:ais|ait|ions))\b|"
    r"\b(?:(?:juste|seulement|uniquement) (?:pour )?(?:cette fois|aujourd'hui|(?:ce|cet|cette) (?:e?mail|message|lettre|réponse|fichier|graphique|schéma|carte|tableau|page|paragraphe|texte|question|cas)\b)|pour (?:cette|une) fois\b|exceptionnellement\b)|"
    r"<head>tu as (?:bien |tout à fait )?raison\b(?! (?:de|sur)\b)(?![^\n]{0,400}\bmais\b)|"
    r"<head>non[,.! ]{1,3}(?:c'est (?:bon|parfait|très bien)|ça va|laisse|t'inquiète|tout va bien)(?! (?:pas|mieux|plus)\b)\b|"
    r"<head>(?:tu te (?:souviens|rappelles)|te (?:souviens|rappelles)-tu|vous vous (?:souvenez|rappelez)) (?!qu)|"
    r"<head>non[,.! ]{1,3}(?:pas (?:celui-(?:là|ci)|celle-(?:là|ci)|ça)|l'autre(?: \w+)?|(?:celui|celle) (?:de|du|à|en)\b[^.!?\n]{0,40})(?=\W{0,4}$|[.,!;])|"
    r"\bjamais dire jamais\b|<head>(?:laisse(?:z)? tomber|oublie(?:z)? (?:ça|tout)|peu importe|tant pis)(?=\W{0,4}$|[,.!;])|"
    r"\bdécidé\b[^.!?\n]{1,80}[,;] (?:c'était|ça a été) (?:\w+ )?(?:délicieux|génial|super|sympa|chouette|top|bien|amusant|drôle|ennuyeux|affreux)\b",
    trouble=rf"\b{_TROUBLE}\b",
    states=r"\b(?:est|sont|était|a|ont|doit|doivent|peut|peuvent|utilise|utilisent|tourne|appartient|coûte|expire|commence|finit|exige|accepte|renvoie|se trouve)\b",
    narrates=r"^\W{0,8}(?:j'ai|on a|nous avons|je suis|réunion|pause|fini|terminé|corrigé|lancé|testé|relu)\b|\b(?:aujourd'hui|en ce moment|demain|maintenant)\b",
    opening=r"^(?:(?:non|faux)\b\s{0,2}[,.!:;\u2013-]+\s*|(?:ok(?:ay)?|oui|d'accord|bon|alors|mais|en fait|attends?|s'il te pla[iî]t|stp)\b[,.!:\s]*)*"
    r"(?:(?:c'est|ce n'est|c'était) (?:faux|pas (?:ça|vrai|correct|exact|juste)|incorrect)\b[,.!:;\s]*)?"
    r"(?:(?:retiens|souviens-toi|rappelle-toi|n'oublie pas|note(?: bien)?|garde en tête|pour info|important|je répète|pour rappel)\b"
    r"[,:\s]*(?:que\s+|qu')?)?",
    corrections=(
        ("no", 0.8, r"<head>(?:non|faux)\b(?![, ]+(?:merci|vas-y|c'est bon|pas de))[,.!: \u2013-]+\S"),
        (
            "not right",
            0.9,
            r"\bce n'(?:est|était) pas (?:ça|vrai|correct|exact|juste|ce que|bon)\b|\bc'(?:est|était) (?:faux|incorrect|inexact)\b|\btu (?:te trompes|t'es trompée?)\b",
        ),
        (
            "I meant",
            0.9,
            r"(?<!ce que )\b(?:je voulais dire|j'ai (?:déjà |bien )?dit|je t'ai (?:déjà )?dit|je n'ai (?:jamais|pas) dit|je parlais)\b",
        ),
        (
            "takes back",
            0.8,
            r"\btu (?:confonds|te trompes|t'es trompée?|as mal (?:lu|compris))\b|\bje me suis trompée?\b|<head>(?:correction|rectification) ?:|\bau temps pour moi\b|\bautant pour moi\b|\bc'est l'inverse\b",
        ),
        ("not X but Y", 0.9, r"\bpas (?!seulement|uniquement)[^.!?\n]{1,80},? mais\b(?! (?:je|tu|il|on|ça|c')\b)"),
        (
            "X, not Y",
            0.7,
            r"\b(?:est|sont|s'appelle|tourne|utilise|utilisons|se trouve|va|vit)\b[^.!?\n]{1,60}, (?:et )?(?:pas|non) (?!encore|vrai|seulement)",
        ),
        ("instead", 0.6, r"<sound>\b(?:au lieu d|plutôt que|à la place d)"),
        (
            "no longer",
            0.7,
            r"<sound>(?:\bn(?:e |')[^.!?\n]{1,40} plus\b|\b(?:obsolète|périmée?|dépréciée?|abandonnée?)s?\b)",
        ),
        (
            "you did",
            0.7,
            r"\btu (?:as|avais|aurais)\b[^.!?\n]{0,40}\b(?:oublié|supprimé|ignoré|confondu|écrasé|inventé|mal compris|dû)\b",
        ),
        (
            "order not to",
            0.7,
            r"<head>(?:n(?:e |')(?!oublie|t'inquiète|sais|vois)[^.!?\n]{2,40}\bpas\b|arrêtez? d|évitez? )",
        ),
    ),
    saves=(
        (
            "remember",
            0.9,
            r"\b(?:retiens|retenez|souviens-toi|souvenez-vous|rappelle-toi|n'oublie(?:z)? pas|garde(?:z)? (?:bien )?(?:en tête|à l'esprit)|note(?:z)? "
            r"(?:bien )?que|pour (?:info|information|mémoire|rappel)\b|important :|important:|mémorise|pour plus tard ?:|note-(?:le|toi)\b|pour la prochaine fois\b)",
        ),
        (
            "to memory",
            0.95,
            r"\b(?:enregistre|ajoute|mets|note|écris|sauvegarde|inscris|garde|consigne)z?\b[^.!?\n]{0,80}\b(?:dans|à|en) "
            rf"(?:la |le |les |ta |tes |ton |votre |vos )?{_FILES}\b|\bmets? à jour\b[^.!?\n]{{0,30}}{_FILES}\b",
        ),
    ),
    decisions=(
        (
            "decided",
            0.9,
            r"\b(?:nous avons|on a|j'ai|l'équipe a|nous nous sommes|on s'est)\b[^.!?\n]{0,20}\b(?:décidé|choisi|convenu|opté|retenu|mis d'accord|tranché)\b"
            r"|<head>(?:c'est|tout est) (?:décidé|tranché|réglé|convenu|acté|validé|calé|plié|définitif)\b|\bc'est (?:acté|validé|calé|définitif)\b|\bil est (?:convenu|décidé|entendu) (?:que|qu'|de)\b|\bdécision(?: finale)? ?:|\bla décision (?:est|était)\b|\bil a été (?:décidé|convenu)\b",
        ),
        (
            "we do",
            0.6,
            r"\b(?:nous (?:utilisons|gardons|déployons|restons|passons à|hébergeons|stockons|travaillons avec)|on (?:utilise|garde|déploie|reste (?:sur|avec|chez|à|en|dans)|prend|choisit|abandonne|laisse tomber|"
            r"passe à|part sur|héberge|stocke|n'utilise))\b",
        ),
        ("goal", 0.7, r"\b(?:l'objectif|le but|le plan|la règle|la convention|la politique) (?:est|était)\b"),
    ),
    facts=(
        (
            "is",
            0.6,
            r"\bje suis (?:\w+ )?(?:allergique|végétarien(?:ne)?|végane?|végétalien(?:ne)?|intolérante?|cœliaque|diabétique|daltonien(?:ne)?|gauch(?:er|ère)|dyslexique)\b",
        ),
    ),
    lasting=(
        (
            "from now on",
            0.85,
            r"\bdésormais\b|\bdorénavant\b|\bà partir de maintenant\b|\bà l'avenir\b|\bà compter d'aujourd'hui\b|\bla prochaine fois\b",
        ),
        (
            "always",
            0.7,
            r"<sound>^(?![^\n]{0,80}\b(?:tu|vous) (?!dois|devez)(?:n'|ne |m'|me )?\w{1,20} (?:toujours|jamais)\b)[^\n]*?"
            r"(?<!comme )\b(?:toujours(?! (?:pas|le même|la même|en cours|là|aussi|entre))|jamais(?! (?:vu|entendu|déçu)))\b|\bsystématiquement\b",
        ),
        (
            "let's keep to",
            0.7,
            r"<head>(?:restons|utilisons|gardons|partons|passons|évitons) (?:sur|avec|à|de|le|la|les|un|une|des)?\b",
        ),
    ),
    preferences=(
        (
            "to be called",
            0.7,
            r"\b(?:appelle|appelez|tutoie|tutoyez|vouvoie|vouvoyez)-moi\b(?! (?:quand|si|à|demain|plus tard))",
        ),
        (
            "is and does not",
            0.6,
            r"\bje ne (?:mange|bois|fume|supporte|tolère|conduis|travaille) (?:pas|jamais|plus|ni)\b",
        ),
        (
            "not without",
            0.6,
            r"\bsans (?:me |mon )(?:demander|prévenir|accord|consulter|le dire)\b|\bdemande(?:-moi)? (?:toujours |d'abord )?avant\b|\bpas besoin de m'(?:expliquer|demander)\b|<head>(?:pas d(?:e |')(?!souci|problème|panique|quoi|bol)|uniquement )[^.!?\n]{3,60}\b(?:dans|sans|en|stp)\b",
        ),
        (
            "taste",
            0.7,
            r"\bje préf[èé]r\w+|\bje (?:déteste|n'aime pas|adore|privilégie)\b(?! c(?:et|ette|es?)\b)|\bj'(?:adore|aime)\b(?! (?:bien )?(?:ça|ton|ta|ce|cet|cette|ces)\b)|\bj'aime (?:mieux|pas)\b"
            r"|\bma préférence\b|\bje voudrais plutôt\b",
        ),
        (
            "kept simple",
            0.6,
            r"\b(?:garde|fais)(?:-le|-la|-les)? (?:simple|court|concis)\b|\brien de (?:compliqué|spécial)\b|\bréponses?\b[^.!?\n]{0,20}\btrop longues?\b",
        ),
        (
            "use X",
            0.6,
            r"<head>(?:utilise|emploie|privilégie)z?\b[^.!?\n]{1,80}\b(?:pour (?:les|tou)|partout|dans tou)|<head>(?:réponds|écris)(?:-moi)? (?:toujours )?en \w+\b",
        ),
    ),
)
