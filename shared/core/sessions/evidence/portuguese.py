"""Evidence of Portuguese; `weights.py` says what each group is for, `phrases.py` how a phrase is written."""

LEADS = """ok sim e mas então também ah oh ei olha opa bom bem pois tá obrigado obrigada espera outra claro desculpa aliás
    por favor enfim viu ó"""

GROUPS = {
    "memo": """
        lembra : | lembre | lembre-se | lembra-te | lembra que | tenha em mente | tem em mente | tem em conta | leve em conta |
        anota | anote | anota aí | toma nota | tome nota | nota : | não esqueça | não se esqueça | não esquece | não te esqueças |
        não esqueças | guarda que | guarda aí | guarda bem | guarde que | guarde bem | registra que | registre que |
        fica registrado | fica registado | fica anotado | fica a saber | fique sabendo | para saberes | só para saberes |
        só pra você saber | pra você saber | para você saber | para a próxima | para o futuro | pro futuro | pra próxima |
        para mais tarde | pra depois | caso precise | caso precises | memoriza | nas tuas notas | nas suas notas |
        na tua memória | na sua memória | é bom saber | bom saber | ^importante | ^aviso | ^info | vais precisar |
        você vai precisar | se alguém perguntar | isso pesa | salva aí""",
    "lasting": """
        sempre | nunca | jamais | cada | toda vez | todas as vezes | cada vez | tudo | todo | toda | todos | todas | em tudo |
        por padrão | por defeito | em geral | geralmente | via de regra | regra geral | a partir de agora | a partir de hoje |
        a partir de | daqui em diante | daqui para a frente | daqui pra frente | de agora em diante | doravante | sem exceção |
        sem exceções | aconteça o que | tanto faz | permanentemente | para sempre | de uma vez por todas | desde sempre |
        desde o início | até nova ordem | no máximo | no mínimo | máximo | mínimo | só | somente | apenas | unicamente |
        exclusivamente | salvo | exceto | a menos que | nenhum | nenhuma | nada de | qualquer | sem falta | normalmente |
        assim que | enquanto | sempre que""",
    "calendar": """
        às segundas | às terças | às quartas | às quintas | às sextas | aos sábados | aos domingos | aos fins de semana |
        todo domingo | toda segunda | toda terça | toda quarta | toda quinta | toda sexta | todo sábado | todas as noites |
        todos os dias | toda noite | todo dia | toda semana | todo mês | todo ano | cada semana | cada mês | diariamente |
        à noite | de manhã | de noite | à tarde | no fim do mês | semanal | mensal | diário | trimestral | em agosto | no verão |
        no inverno | por mês | por ano | por semana | uma vez por | duas vezes por""",
    "must": """
        não me liga | não me ligues | antes das | depois das | só pela | só pelo | só por | só com | só depois | nunca antes |
        primeiro , | vem primeiro | por trás | deve | devem | é preciso | não é preciso | tem que | tem de | têm que | têm de |
        deveria | deveriam | proibido | proibida | obrigatório | obrigatória | permitido | não pode | não podem | não se mexe |
        vai em | vão em | vai antes | fica em | ficam em | fica no | fica na | antes de | sem perguntar | sem avisar |
        sem minha autorização | me pergunta | pergunta-me | pergunte antes | me avisa | avisa-me antes | não mexe | não mexas |
        não toque | basta | bastam | é suficiente | chega | reservado | exijo | espero que | passa por | passam por""",
    "objects": """
        respostas | resposta | mensagens | commits | testes | branches | nomes | variáveis | funções | emails | e-mails | mails |
        cartas | relatórios | tabelas | listas | títulos | datas | preços | unidades | exemplos | scripts | tickets | parágrafos |
        frases | emojis | links | fontes | receitas | comentários | números | código | slides | rascunhos | faturas | textos |
        traduções | jargão | termos técnicos | abreviaturas | abreviações | elogios | desculpas | explicações | resumos |
        descrições | sugestões | perguntas | marcadores | aspas | senhas | reuniões | consultas | voos | hotéis | restaurantes |
        gráficos | quilómetros | quilômetros | gramas | português | inglês | anglicismos | rodeios | rodeio | introduções |
        introdução | opções | herança | enrolação | maiúsculas""",
    "with you": """
        quando me | quando você | quando fizeres | quando escreveres | quando comparar | quando for | se me | se eu |
        antes de você | para mim | pra mim | comigo | a mim | me dê | me escreva | me responda | fala comigo | fale comigo |
        tuas respostas | suas respostas | seus textos | teus textos | seus resumos | suas explicações | suas mensagens |
        cada vez que | sempre que""",
    "own": """
        nós | nosso | nossa | nossos | nossas | nos | a gente | a equipa | a equipe | o time | no escritório | em casa | aqui |
        no projeto | neste repo | a empresa | na escola | usamos | temos | fazemos | trabalhamos | somos | estamos | moramos |
        fechamos | abrimos""",
    "mine": """meu | minha | meus | minhas | sou | tenho | moro | trabalho | falo | me chamo | chamo-me | eu""",
    "me": """
        moro em | moro no | moro na | trabalho para | trabalho em | trabalho no | trabalho na | trabalho como | sou celíaco |
        sou celíaca | sou vegetariano | sou alérgico | sou alérgica | dou aulas | dou aula | estudo | falo | me chamo | chamo-me |
        nasci | dirijo | não como | durmo | uso óculos | tenho dois | tenho três | tenho duas | tenho um | tenho uma |
        sou divorciado | sou aposentado | sou canhoto | sou canhota | sofro | sou professor | sou professora | sou enfermeira |
        somos um | somos uma | tenho uma loja | comecei no | comecei na | me mudei | me aposentei""",
    "for me": """para mim | pra mim | a mim | comigo""",
    "people": """
        mulher | marido | esposa | esposo | filho | filha | filhos | mãe | pai | irmã | irmão | chefe | parceiro | parceira |
        namorado | namorada | criança | crianças | gêmeos | gémeos | bebê | bebé | sobrinho | sobrinha | tia | tio | avó | avô |
        sogra | sogro | sócio | sócia | colega | vizinho | vizinha | senhorio | síndico | síndica | contador | contabilista |
        dentista | médico | médica | doutora | doutor | dr | dra | veterinário | gato | gata | cachorro | cão | cavalo |
        aniversário | alérgico | alérgica | alergia | alergias | intolerante | diabético | diabética | diabetes | celíaco |
        celíaca | vegano | vegana | vegetariano | vegetariana | surdo | surda | cego | grávida | lactose | glúten | frutos secos |
        se chama | chama-se | apelido | dona | senhor | senhora""",
    "systems": """
        servidor | servidores | banco | banco de dados | base de dados | produção | homologação | ambiente | repo | repositório |
        cluster | api | cron | tarefa | pipeline | build | branch | porta | host | vpn | proxy | firewall | certificado | token |
        chave | senha | palavra-passe | wifi | roteador | impressora | scanner | backup | domínio | configuração | schema |
        tabela | cache | biblioteca | docker | postgres | mysql | framework | versão | licença | fornecedor | contrato | fatura |
        escritório | armazém | código | portão | sala | alarme | garagem | caldeira | orçamento | prazo | conta | serviço | fila |
        loja | entrada | endpoint""",
    "states": """
        é | são | está | estão | tem | têm | vive | mora | roda | rodam | corre | encontra-se | custa | custam | abre | fecha |
        começa | termina | expira | vence | significa | precisa | precisam | pertence | aceita | aceitam | suporta | cuida |
        trata | chama-se | se chama | trabalha | fala | usa | usam | usamos | come | bebe | dorme | prefere | odeia | espera |
        reinicia | depende | vem | vêm | passa | sai | chega | muda | pode | podem | leva | contém | demora | assina | dirige |
        recebe | quer | partilha | responde | não tem | não há | há | vai | vão | fica | serve | entrega""",
    "contrast": """
        e não | , não | não .. mas | mas sim | em vez de | ao invés de | já não | não é mais | não usa mais | antes | agora |
        antigamente | na verdade | aliás | de facto | de fato | ao contrário | invertido | renomeado | mudou | mudou-se |
        substituído | removido | antigo | antiga | velho | velha | não é | não são | não está | não tem | não era | era |
        o outro | a outra | mas | desde | não o | não a | não os | não as | não um | não em""",
    "denies": """
        é o .. antigo | é a .. antiga | é o .. velho | você escreveu | você pôs | você colocou | olha de novo | opa |
        tá invertido | tá trocado | é o outro | é a outra | vem primeiro | vem antes | você passou | ^não | ^falso | ^errado |
        ^nada disso | ^não exatamente | ^não é bem | ^cuidado | ^quase | ^na verdade | ^correção | te enganas | enganaste |
        enganou | você errou | errou | errado | errada | está confundindo | confundiu | confundes | confundiste | misturou |
        trocou | trocaste | é falso | incorreto | incorreta | desatualizado | desatualizada | obsoleto | não é isso |
        não é assim | não está certo | não é verdade | está mal | de onde tirou | de onde tiraste | quem disse | quem te disse |
        não existe | nunca disse | nunca falei | não foi o que | invertido | ao contrário | mal-entendido | entendeu mal |
        tá errado | me enganei""",
    "you did": """
        você pôs | você colocou | puseste | você escreveu | escreveste | disseste | você disse | você usou | usaste | contou |
        você trocou | mudaste | apagou | apagaste | você está | você tá | tá gerando | continua | esqueceste | esqueceu |
        você acha | tua lista | sua lista | sua versão | seu resumo | seu texto | teu texto | seu rascunho | sua resposta |
        sua data | que você passou | você""",
    "lesson": """
        da última vez | na última vez | ano passado | mês passado | aprendi | aprendemos | lição | acontece que | afinal |
        nos custou | custou-nos | perdemos | deu errado | correu mal | senão | caso contrário | por isso | portanto | daí |
        cuidado | armadilha | voltou | já duas vezes | para não""",
    "settles": """
        resolvemos | vai ser em | a gente vai | a gente saiu | saímos de | largo o | largo a | vendo | compro | aceitei |
        recusei | recusamos | fico | contratamos | contratado | assinamos | começamos em | fecha de vez | fica descartado |
        está resolvido | decisão tomada | bater o martelo | decidido | decidimos | decidi | decidiu | decidiram | decisão |
        resolvi | escolhido | escolhemos | escolhi | combinado | combinamos | ficou combinado | acordado | acordámos | acordo |
        votou | optamos | optei | ficamos com | fico com | vamos com | vamos de | vai ser | passamos a | abandonamos | abandonar |
        deixamos de | largamos | seguimos com | mudamos para | vendemos | vender | compramos | nos mudamos | no final |
        finalmente | está decidido | batemos o martelo | fechado | fechamos | assinado | assinámos | reservei | reservamos |
        cancelado | adiado | será | definitivo | definitivamente | luz verde | aprovado | aprovada | por unanimidade |
        descartado | descartada | descartamos | não vamos mais | ganhou | e pronto | e ponto | acabou | tá decidido |
        trato feito | aprovou | aprovaram | disse sim | disse que sim | não vamos comprar | sinal pago | está encomendado |
        já está reservado | vai ser na | vai ser no""",
    "tastes": """
        sem rodeio | sem rodeios | enrola | me enrola | me perco | perco-me | textão | comigo é | é assim que | sempre que der |
        me cansa ler | prolixo | prolixa | prefiro | preferia | gosto | gosto de | adoro | amo | não gosto | odeio | detesto |
        não suporto | não aguento | me incomoda | incomoda-me | me cansa | me irrita | irrita-me | me irritam | chateia-me |
        demasiado longo | muito longo | muito longa | muito longas | longas demais | longo demais | muito formal | demais |
        mais curto | mais curta | mais curtas | curto | curta | curtas | breve | breves | conciso | concisas | simples | claro |
        direto | direta | direto ao ponto | sem | menos | nada de | evita | evite | para de | pare de | deixa de | chega de |
        me chama | me chame | chama-me | trata-me | me trate | melhor | melhor que | me basta | basta-me | me serve | quero |
        não quero | não como | não bebo | não tomo | poupa-me | me poupe | não precisa | não preciso | não me | sou de |
        sou mais de | meu estilo | favorito | favorita | preferido | é assim que eu""",
    "order": """
        ^usa | ^use | ^põe | ^coloca | ^coloque | ^escreve | ^escreva | ^responde | ^responda | ^dá | ^me dá | ^mostra | ^mostre |
        ^pergunta | ^pergunte | ^diz | ^faz | ^faça | ^adiciona | ^deixa | ^deixe | ^evita | ^evite | ^começa | ^comece |
        ^termina | ^mantém | ^mantenha | ^não | ^nada | ^nunca | ^sempre | ^para | ^pare | ^cita | ^cite | ^arredonda | ^fala |
        ^fale | ^chama | ^me chama | ^assina | ^reserva | ^avisa | ^avise | ^executa | ^sem | ^só | ^esquece | ^trata""",
    "task": """
        ^traduz | ^traduza | ^resume | ^resuma | ^corrige | ^corrija | ^reformula | ^redige | ^escreve um | ^escreve uma |
        ^escreva um | ^escreva uma | ^explica | ^explique | ^me explica | ^me dá | ^dá-me | ^mostra-me | ^me mostra | ^diz-me |
        ^me diz | ^procura | ^encontra | ^faz um | ^faz uma | ^faça um | ^faça uma | ^cria | ^crie | ^calcula | ^compara |
        ^compare | ^ajuda | ^me ajuda | ^olha | ^revisa | ^lê | ^leia | ^encurta | ^sugere | ^sugira | ^recomenda | ^planeja |
        ^apaga | ^renomeia | ^muda | ^adiciona | ^constrói | ^testa | ^teste | ^roda | ^executa | ^liga | ^desliga | ^acende |
        ^podes | ^poderias | ^pode | ^poderia | ^você pode | ^o que | ^qual | ^quais | ^como | ^por que | ^porque | ^quem |
        ^quando | ^onde | ^quanto | ^quantos | ^preciso | ^precisamos | ^gostaria que | ^imagina | ^lista | ^liste | ^gera |
        ^gere | ^prepara | ^manda | ^envia | ^será que | ^que horas | ^ordena | ^conserta""",
    "the one": """
        este arquivo | esse arquivo | o arquivo | este ficheiro | esta função | a função | este parágrafo | o parágrafo |
        este texto | o texto | este email | o email | esta carta | a carta | este script | o script | este código | este teste |
        este erro | o erro | esta lista | esta tabela | abaixo | acima | seguinte | esta página | o log | este branch |
        esta frase | a frase | a linha | linha | capítulo | anexo""",
    "now": """
        hoje | esta noite | amanhã | agora mesmo | desta vez | só desta vez | dessa vez | só para este | só para esta |
        por enquanto | por agora | no momento | ontem | esta manhã | depois | mais tarde | ainda não | primeiro | semana que vem |
        próxima semana | esta semana | daqui a pouco | excepcionalmente | excecionalmente | uma vez só | só aqui | já te""",
    "trouble": """
        algo errado | algo está mal | erro | erros | falha | falham | quebrado | quebrada | bug | travou | travado | trava |
        não funciona | não funcionam | não abre | não carrega | não aparece | não arranca | lento | lenta | caiu | pisca |
        estranho | estranha | não faço ideia | de repente | aviso : | quebra | dá erro | de novo | fecha sozinho""",
    "doubt": """
        talvez | se calhar | quem sabe | poderia | poderíamos | deveríamos | seria | e se | se a gente | se nós | se eu fosse |
        suponhamos | suponha | imagina | imagine | hesito | em dúvida | não sei | não sabemos | ainda não sabemos |
        não tenho certeza | ainda não decidi | ainda não decidimos | me pergunto | um dia | provavelmente | acho que | penso que |
        espero | vamos ver | tivesse | fosse | teria | estou pensando | estou a pensar""",
    "said": """
        diz | disse | dizia | escreve | escreveu | afirma | garante | pergunta | contou | segundo | citação | avaliação | cliente |
        aluno | aluna | crítica | parece que | ao que parece | ela | ele | o artigo | acha""",
    "thanks": """
        obrigado | obrigada | paciente | gentil | me salva | me ajuda | decepciona | valeu | ótimo | perfeito | bom dia |
        boa tarde | boa noite | oi | olá | tchau | até logo | tudo bem | tudo certo | kkk | kkkk | haha | rs | bravo | legal |
        fixe | cansado | cansada | calor | frio | chove | chovendo | fim de semana | feliz | funcionou""",
    "story": """
        acabei de | estava | tentei | vi | fui | estou em | estou tentando | estou a tentar | tive | tenho que | tenho de |
        procuro | estou procurando | estávamos | tivemos | eu tinha | tô no | tô na""",
    "intent": """
        quero | queria | vou | vamos | tenho que | tenho de | preciso | precisamos | deveríamos | continua | segue | começa por |
        vou tentar""",
    "chat": """
        bonito | bonita | lindo | linda | maravilhoso | maravilhosa | boa ideia | boa sorte | parece bom | orgulhoso | orgulhosa |
        divertido | emocionante | muito melhor | que bom | ansioso""",
    "points": """isto | isso | este | esta | esse | essa | esses | essas | assim | aquilo""",
    "fiction": """
        filme | livro | romance | música | canção | jogo | poema | conto | personagem | piada | charada | cena | quiz | história""",
}
