"""Cues of Portuguese."""

from shared.core.sessions.languages.language import Phrases

_TROUBLE = (
    r"(?:falh\w*|funcion\w*|erro|trav\w*|quebr\w*|lent[oa]s?|inici\w*|compil\w*|carreg\w*|aparec\w*|entend\w*|sei)"
)
_FILES = r"(?:memória|memory|notas?|claude\.md|agents\.md|gemini\.md|memory\.md|regras|diretrizes)"

PORTUGUESE = Phrases(
    code="pt",
    words="""de me te já vamos odeio adoro obrigado obrigada sou fui somos muito meu minha chame gosto pare anote guarde evite sempre rode fazer tudo manter ou o a os as um uma e é não que em para com por do da dos das no na nos nas se nós eu você vocês ele isso isto
        esse essa nosso nossa mas sim mais sempre nunca use usamos está estão como sem quando lembre vez agora pode poderia
        prefiro decidimos são ser foi porque já ao aos também só todos todas nossos fica ficar""",
    lead=r"ok(?:ay)?|sim|certo|bom|beleza|ótimo|obrigad[oa]|então|e|mas|ah|oh|hm+|não|por favor|espera|na verdade|olha|tá",
    question=r"<head>(?:(?:é|será) (?:verdade|certo) que(?=[^,]{0,200}$)|por que|por quê|como(?= (?:faço|eu|é|está|funciona|podemos|posso))|quando(?=[^,]{0,200}$)|onde|quem|qual|quais|quant[oa]s?|o que|me pergunto|(?:eu )?não (?:sei|lembro|me lembro)|nem ideia|"
    r"(?:pode|poderia|você pode) (?:me )?(?:explicar|dizer|mostrar))\b",
    request=r"<head>(?:(?:você )?(?:pode|poderia|podemos|poderíamos|consegue)\b|vou\b|vamos (?!usar|ficar|manter|com)|preciso\b|quero que\b|gostaria\b|(?:adicione|adiciona|corrija|corrige|crie|cria|escreva|"
    r"escreve|apague|apaga|remova|remove|exclua|renomeie|mova|revise|veja|olhe|mostre|mostra|execute|rode|roda|implemente|implementa|teste|leia|procure|explique|"
    r"resuma|envie|coloque|coloca|substitua|mude|altere|instale|gere|continue|faça|faz|arrume|verifique)\b)",
    moment=r"<head>(?:espera|espere)\b(?! que\b)|\b(?:continua (?:falhando|a falhar|igual|sem|quebrad[oa])|ainda não|por enquanto|por ora|no momento|desta vez|dessa vez|primeiro|até que|até eu|(?:decidimos|combinamos|escolhemos) (?:isso |isto |tudo )?(?:amanhã|depois|mais tarde|outro dia|(?:na )?(?:próxima )?semana))\b",
    reported=r"^(?!\W{0,8}(?:eu|nós|já)\b)[^:\n]{2,80}\b(?:diz|dizia|disse|escreveu|escreve|afirma|indica|comentou|comentário|erro|mensagem|log|saída)\b[^:\n]{0,40}:"
    r"|^\W{0,8}(?:segundo|de acordo com)\b|^\W{0,8}(?:aviso|advertência|erro)\s?:|<head>(?:traduza|traduz|resuma|reformule)\b[^:\n]{0,60}:"
    r"|^\W{0,8}(?!(?:eu|te|nós|a gente)\b)(?:\w+ ){1,4}(?:diz|dizia|disse|acha|afirma)\b(?! (?:que )?(?:sim|não)\b)|^\W{0,8}n[oa] (?:livro|romance|filme|artigo|jogo|série|jornal)\b|(?<!eu )(?<!te )\b(?:diz|disse|acha|afirma) que\b|"
    r"<head>(?:corrija|corrige|melhore|melhora|encurte|reescreva|deixe|deixa)\b[^:\n]{0,60}:|<head>era uma vez\b",
    idle=r"^\W{0,8}(?!(?:eu|te|nós|a gente|se|seu|sua|teu|tua|lembra|nota)\b)(?![^\n]{0,400}\bmas\b)(?:\w+ ){1,4}(?:acha|pensa|acredita|jura|(?:sempre )?dizia(?: sempre)?|sempre diz|está convencid[oa])\b|"
    r"<head>(?:suponha(?:mos)?|imagin[ae]|imaginemos|e se|se (?:eu |a gente |nós )?\w{2,20}(?:asse|esse|isse|ássemos|êssemos|íssemos))\b|"
    r"\b(?:só|somente|apenas) (?:por )?(?:[dn]?esta vez|[dn]?essa vez|hoje|(?:n?este|n?esta|n?esse|n?essa|para est[ea]) (?:e?mail|mensagem|carta|resposta|arquivo|ficheiro|gráfico|mapa|tabela|página|parágrafo|texto|pergunta|caso)\b)|\bexcepcionalmente\b|"
    r"<head>(?:você tem|tens) (?:toda a )?razão\b(?! (?:em|sobre)\b)(?![^\n]{0,400}\bmas\b)|"
    r"<head>não[,.! ]{1,3}(?:(?:está|tá|tudo) (?:ótimo|bom|bem|certo)|deixa|valeu|precisa)\b|"
    r"<head>(?:você |tu )?(?:se |te )?lembra(?:s|m)?(?:-te)? (?:(?:d[ao]s?|daquel[ea]s?|aquel[ea]s?|quando) |de (?!que\b|\w{1,20}[aei]r\b))|"
    r"<head>não[,.! ]{1,3}(?:(?:ess[ea]|est[ea]|aquel[ea]) não|[oa] outr[oa]|[oa] d[eoa] (?:lado|cima|baixo|direita|esquerda))(?: \w+)?(?=\W{0,4}$|[,.!;])|"
    r"\bnunca diga(?:s)? nunca\b|<head>(?:deixa (?:pra lá|para lá|estar)|esquece(?: isso)?|tanto faz|não importa)(?=\W{0,4}$|[,.!;])|"
    r"\bdecidi(?:mos|u|ram|do)\b[^.!?\n]{1,80}[,;] foi (?:\w+ )?(?:divertid[oa]|ótimo|delicios[oa]|bonit[oa]|chat[oa]|horrível)\b",
    trouble=rf"\b{_TROUBLE}\b",
    states=r"\b(?:é|são|está|estão|tem|têm|deve|devem|pode|usa|usam|roda|pertence|custa|expira|começa|termina|exige|aceita|devolve|fica|ficam)\b",
    narrates=r"^\W{0,8}(?:fiz|rodei|testei|corrigi|revisei|terminei|reunião|pausa|concluíd[oa])\b|\b(?:hoje|amanhã|agora|neste momento)\b",
    opening=r"^(?:(?:não|errado)\b\s{0,2}[,.!:;\u2013-]+\s*|(?:ok(?:ay)?|sim|certo|bom|mas|na verdade|espera|por favor|olha)\b[,.!:\s]+)*"
    r"(?:(?:isso|isto) (?:não (?:é|está) (?:assim|correto|certo|verdade)|está (?:errado|incorreto))\b[,.!:;\s]*)?"
    r"(?:(?:lembre-se|lembre|lembra|não (?:se )?esqueça|tenha em mente|anote|anota|para (?:sua )?informação|importante|nota|como (?:eu )?(?:já )?disse)\b[,:\s]*(?:de\s+)?(?:que\s+)?)?",
    corrections=(
        (
            "no",
            0.8,
            r"<head>(?:não|errado)(?:[,.!:;]| \u2013| -)\s*(?!obrigad|tem problema|se preocupe|continue|pode)\S",
        ),
        (
            "not right",
            0.9,
            r"\b(?:isso|isto) não (?:é|está|era) (?:assim|correto|certo|verdade|o que|bem assim)\b|\bnão (?:é|era|foi) (?:isso|o que (?:eu )?(?:pedi|queria|disse))\b"
            r"|\b(?:isso|isto) (?:está|é) (?:errado|incorreto)\b|\bvocê (?:está (?:errado|enganado)|se enganou|errou)\b",
        ),
        (
            "I meant",
            0.9,
            r"(?<!o que )\b(?:eu )?(?:quis dizer|me referia|já (?:te )?(?:disse|falei)|te disse|nunca (?:disse|falei)|não (?:disse|falei)|como (?:eu )?(?:já )?(?:disse|falei))\b",
        ),
        (
            "takes back",
            0.8,
            r"\b(?:você|cê|tu) (?:confundiu|trocou|se confundiu|está confundindo|confundes|errou)\b|\b(?:eu )?(?:me enganei|me confundi|errei)\b|<head>(?:correção|corrigindo):|\bé o contrário\b",
        ),
        ("not X but Y", 0.9, r"\bnão (?!só|somente|apenas)[^.!?\n]{1,80},? (?:mas sim|e sim)\b"),
        (
            "X, not Y",
            0.7,
            r"\b(?:é|são|está|estão|fica|ficam|se chama|roda|usa|usamos|vai)\b[^.!?\n]{1,60}, (?:e )?não (?!só|apenas|é|está|sei|há|tem|funciona)",
        ),
        ("instead", 0.6, r"<sound>\b(?:em vez d|ao invés d|no lugar d)"),
        (
            "no longer",
            0.7,
            r"<sound>(?:\b(?:já )?não [^.!?\n]{1,40} mais\b|\bnão mais\b|\b(?:obsolet|ultrapassad|desatualizad|descontinuad)[oa]s?\b)",
        ),
        (
            "you did",
            0.7,
            r"\bvocê (?:esqueceu|apagou|removeu|ignorou|confundiu|entendeu (?:mal|errado)|inventou|sobrescreveu|deveria ter)\b",
        ),
        (
            "order not to",
            0.7,
            r"<head>não (?:use|utilize|coloque|adicione|escreva|faça|toque|modifique|altere|mude|commite|crie|inclua|instale|mexa)\b|<head>(?:pare|para) de\b|<head>evite\b",
        ),
    ),
    saves=(
        (
            "remember",
            0.9,
            r"\b(?:lembre-se|lembre que|lembra que|lembre:|não (?:se )?esqueça|tenha em mente|anote|anota|memorize|guarde (?:que|bem)|para (?:sua )?informação|importante:|nota:|para (?:depois|mais tarde):|guarda (?:aí )?que\b|lembra(?:-te)? d(?:isso|isto)\b|não te esqueças|toma nota|para a próxima\b)",
        ),
        (
            "to memory",
            0.95,
            r"\b(?:salve|guarde|adicione|anote|escreva|coloque|registre|inclua|grave)\b[^.!?\n]{0,80}\b(?:na|no|nas|nos|em|à|ao) "
            rf"(?:sua |seu |suas |seus )?{_FILES}\b|\batualize\b[^.!?\n]{{0,30}}{_FILES}\b",
        ),
    ),
    decisions=(
        (
            "decided",
            0.9,
            r"\b(?:decidimos|decidi|escolhemos|combinamos|optamos|acordamos|definimos|batemos o martelo|fechamos (?:em|com|que))\b|\b(?:no fim|no final|afinal),? (?:vamos|ficamos|escolhemos|será|usaremos)\b|\bé definitivo\b|\bdecisão(?: final)?:|\ba decisão (?:é|foi)\b|\b(?:foi|ficou|está) (?:decidido|combinado|acordado|definido)\b"
            r"|\btime decidiu\b|\bequipe decidiu\b",
        ),
        (
            "we do",
            0.6,
            r"\b(?:usamos|utilizamos|vamos (?:usar|ficar com|manter|com)|ficamos com|mantemos|hospedamos|trabalhamos com|a gente usa|migramos para)\b",
        ),
        ("goal", 0.7, r"\b(?:o objetivo|o plano|a regra|a convenção|a política|a meta) (?:é|era)\b"),
    ),
    facts=(
        (
            "is",
            0.6,
            r"\bsou (?:\w+ )?(?:celíac[oa]|vegan[oa]|vegetarian[oa]|alérgic[oa]|intolerante|diabétic[oa]|daltônic[oa]|disléxic[oa]|canhot[oa])\b",
        ),
    ),
    lasting=(
        (
            "from now on",
            0.85,
            r"\b(?:a partir de (?:agora|hoje)|de agora em diante|daqui (?:para|pra) frente|no futuro|futuramente|da próxima vez)\b",
        ),
        (
            "always",
            0.7,
            r"<sound>(?<!como )(?<!você )(?<!tu )(?<!é )(?<!és )\b(?:sempre(?! (?:igual|tão))|nunca(?! (?:vi|ouvi|fui|tive)\b)|jamais)\b",
        ),
    ),
    preferences=(
        ("to be called", 0.7, r"\b(?:me cham[ea] de|pode me chamar de|chame-me|me trate por)\b"),
        (
            "is and does not",
            0.6,
            r"\b(?:eu )?não (?:como|bebo|fumo|tolero|suporto|dirijo|trabalho)\b",
        ),
        (
            "not without",
            0.6,
            r"\bsem (?:me (?:perguntar|avisar|consultar)|minha (?:permissão|aprovação))\b|\bpergunte (?:sempre |primeiro )?antes\b|\bnão precisa (?:me )?(?:explicar|perguntar|confirmar)\b|<head>(?:nada de|só|apenas) \w+[^.!?\n]{0,50}\b(?:em|nos?|nas?|por favor|sem|para)\b",
        ),
        (
            "taste",
            0.7,
            r"\b(?:eu )?prefir[oa]\b|\bpreferiria\b|\bpreferimos\b|\b(?:eu )?(?:não gosto|gosto|adoro|odeio|detesto)\b(?! (?:(?:muito )?(?:disso|disto)|d?ess[ea]s?|d?est[ea]s?|da ideia)\b)|\bminha preferência\b",
        ),
        (
            "kept simple",
            0.6,
            r"\bmantenha (?:\w+ ){0,2}(?:simples|curt[oa]s?|breves?|concis[oa]s?)\b|\bnada (?:complicado|demais)\b|\brespostas?\b[^.!?\n]{0,20}\b(?:longas? demais|muito longas?)\b",
        ),
        (
            "use X",
            0.6,
            r"<head>(?:use|utilize)\b[^.!?\n]{1,80}\b(?:para (?:os|as|tod)|em tod)|<head>(?:responda|escreva)(?:-me)? (?:sempre )?em \w+\b",
        ),
    ),
)
