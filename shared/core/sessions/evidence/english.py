"""Evidence of English; `weights.py` says what each group is for, `phrases.py` how a phrase is written."""

LEADS = """ok okay yes yeah yep so and but also well oh ah uh um er please just hm hmm hey sorry listen again right good great fine
    alright then pls plz btw though guys folks look seriously honestly ugh argh gah"""

GROUPS = {
    "memo": """
        remember that | remember this | ^note | note that | make a note | take note | take a note | note down | write down |
        ^write .. down | write this down | write that down | jot | file .. away | file under | file that | file this |
        in your notes | to your notes | into your notes | in your memory | to memory | keep .. somewhere | keep .. handy |
        ^keep .. around | keep .. on record | on record | on file | for later | for future | for the future | for the record |
        for next time | next time | future sessions | later sessions | another session | other sessions | other chats |
        do not forget | never forget | do not lose | save this | save that | ^save for | store this | store that | pin this |
        pin that | stash this | stash that | ^fyi | fyi | ^heads up | heads up | just so you know | so you know |
        you should know | you ought to know | worth knowing | worth noting | worth writing | worth remembering | worth keeping |
        bear in mind | keep in mind | have in mind | mental note | note to self | add .. memory | good to know |
        in case it comes up | in case you | since you will | you will run into | you will need | commit .. memory | hold on to |
        hang on to | hang onto | hold onto | tuck .. away | log this | log that | put this | put .. down | put on record |
        ^record : | record that | for reference | for your reference | for your information | ^info | ^background | for context |
        ^context | one thing | another thing | quick note | quick fact | side note | small thing | by the way | btw | ^psa |
        ^reminder | ^important | for your files | ^tip | keep hold of | memorise | memorize | store .. away | have .. ready |
        so that you know | so you do not | i will ask again | you can reuse | stays true | do not make me repeat | you may need |
        comes up again | when it comes up | when i ask | when someone asks | if anyone asks | when we talk about""",
    "lasting": """
        always | never | ever | every | each | whenever | wherever | everywhere | every time | no exceptions | without exception |
        across the board | by default | in general | generally | as a rule | for good | from now on | from here on | from today |
        from this | going forward | moving forward | in future | in the future | at all times | permanently | permanent |
        unless i | unless you | unless told | unless asked | whatever i ask | whatever you | no matter | only ever |
        until further notice | from day one | for all | for every | for any | any time | anytime | from monday | as of | at most |
        at least | max | maximum | minimum | goes for all | applies to | throughout | everything | anything | without fail |
        at any time | by hand | in all | regardless | even if | even for | even in | all repos | all projects | as standard |
        strictly | exclusively | only in | only for | only on | only when | only if | only after | only by | only the | usually |
        normally | typically | the whole | entire | default to | in every | of every | all the time | ^any | ^all | ^every |
        ^each | ^whenever | ^no | first thing""",
    "calendar": """
        mondays | tuesdays | wednesdays | thursdays | fridays | saturdays | sundays | weekends | weekdays | weekly | daily |
        monthly | nightly | yearly | quarterly | annual | every monday | every sunday | every friday | every night | every day |
        every week | every month | every year | each month | each year | each week | each night | at night | in winter |
        in summer | all august | all summer | in the mornings | in the evenings | mornings | evenings | at noon | at midnight |
        end of the month | of the month | a month | a week | a year | per week | per month | per day | school holidays | twice a |
        once a""",
    "must": """
        hands off | ask before | ask me before | do not ring | do not call me | text me | never on | nothing before | not before |
        nothing after | no calls | no meetings | not after | no one outside | only the | only people | is not to | are not to |
        without approval | needs approval | needs two | need two | have to be | has to be | must be | can only be | stays locked |
        must | should | has to | have to | needs to | need to | is to | are to | ought to | supposed to | meant to | may not |
        must not | can not | not allowed | no one may | forbidden | required | mandatory | off limits | off-limits | goes in |
        go in | goes into | go into | goes to | go to | goes through | go through | goes under | go under | goes on | go on the |
        goes before | goes after | belongs | belong | stays in | stay in | stays on | stays out | stay out | comes before |
        come before | comes first | come first | want .. before | before you | before any | after you | without asking |
        without my | ask me | ask first | check with | run .. by me | keep out | do not touch | never touch | leave .. alone |
        are banned | is banned | no longer allowed | is reserved | are reserved | is fine | are fine | is enough | are enough |
        suffices | is not ok | are not ok | i expect | we expect | i require""",
    "objects": """
        answers | replies | responses | messages | commits | tests | branches | names | variables | functions | docs |
        docstrings | emails | mails | letters | reports | tables | bullets | bullet | headings | titles | dates | prices | units |
        examples | snippets | scripts | migrations | prs | pull requests | tickets | issues | paragraphs | sentences | emoji |
        emojis | links | citations | sources | recipes | comments | numbers | lists | code | prose | slides | drafts | invoices |
        texts | translations | queries | imports | exceptions | types | abbreviations | jargon | acronyms | greetings |
        exclamation | compliments | apologies | disclaimers | explanations | summaries | descriptions | suggestions | questions |
        options | alternatives | steps | files | columns | quotes | commas | semicolons | spaces | tabs | captions | footnotes |
        subject lines | commit messages | changelogs | dependencies | endpoints | logs | secrets | passwords | credentials |
        repos | projects | releases | deploys | deployments | meetings | appointments | bookings | flights | hotels |
        restaurants | plans | charts | diagrams | metric | celsius | kilometres | kilometers | fahrenheit | grams | first names |
        last names | surnames | british spelling | american spelling | english | german | french | spanish | 24-hour | iso""",
    "with you": """
        when you | whenever you | each time you | every time you | before you | after you | you give me | you send me |
        you write | you draft | you show me | you answer | you reply | you explain | when i ask | if i ask | when i say |
        if i say | when i write | when i paste | when i send | as long as you | your answers | your replies | your code |
        your summaries | your messages | your explanations | your lists | your tone""",
    "own": """
        our | ours | we | us | the team | in this repo | in this project | in this house | at home | at work | in the office |
        at the office | in this codebase | this repo | this project | around here | over here | here | the company | the firm |
        the shop | the clinic | the school | the studio""",
    "mine": """my | mine | i am | i have | i live | i work | i own | i drive | i use | i run | i speak | i teach | i study""",
    "me": """
        i live | i work | i teach | i study | i own | i drive | i play | i coach | i run a | i am allergic | i am from |
        i was born | i am a | i am an | i speak | i type | i commute | i wake | i sleep | i wear | i weigh | i eat | i drink |
        i am vegan | i am vegetarian | i am based | i am left-handed | i am dyslexic | dyslexic | i am in charge |
        i am responsible | i suffer | i get migraines | i have a | i have an | i have two | i have three | i take | i train |
        i grew up | i moved to | i got the job | i started at | i retired | i am retired | i am married | i am divorced |
        i am single | i volunteer | i manage | i lead | i report to | i signed | i belong | i earn | i pay | i rent | i share |
        i keep bees | i breed | i collect | i sing in | i only work | i never work | we are a | we are an | my name is | my job |
        my employer | years old | i can not eat | i can not have | i can not drive | i can not read | i can not see |
        i can not hear""",
    "for me": """for me | to me | with me | if you | in your | from you | your""",
    "people": """
        wife | husband | son | daughter | mother | father | mum | mom | dad | sister | brother | partner | boss | manager | kid |
        kids | twins | twin | baby | niece | nephew | aunt | uncle | grandma | grandpa | grandmother | granddaughter | grandson |
        mother-in-law | colleague | neighbour | neighbor | landlord | accountant | dentist | doctor | dr | vet | plumber |
        lawyer | teacher | cat | dog | horse | parrot | customer number | account number | birthday | surname | allergic |
        allergy | allergies | intolerant | diabetic | coeliac | celiac | vegan | vegetarian | deaf | blind | asthma | pregnant |
        left-handed | gluten | lactose | nuts | penicillin | pronouns | goes by | is called | are called | named | nickname | mr |
        mrs | ms""",
    "systems": """
        server | servers | database | db | staging | production | prod | repo | repository | cluster | bucket | queue | endpoint |
        api | cron | job | pipeline | ci | build | branch | main | trunk | port | host | vpn | proxy | firewall | certificate |
        token | key | password | wifi | wi-fi | router | printer | scanner | backup | backups | domain | dns | config | deploy |
        runner | runners | tenant | sandbox | schema | table | flag | cache | registry | package | library | linter | formatter |
        compiler | docker | kubernetes | postgres | mysql | redis | python | node | version | release | licence | license |
        vendor | supplier | provider | contract | invoice | invoices | office | warehouse | door | code | gate | room | alarm |
        garage | boiler | meter | budget | deadline | account""",
    "states": """
        = | goes to | sit in | sits in | comes with | come with | bill in | bills in | falls on | fall on | is based |
        is located | is closed | is open | are closed | are open | is due | are due | is paid | are paid | is capped |
        is limited | speaks only | teaches | studies | coaches | plays | drops | drop every | dies | changes every |
        change every | turns off | goes off | shuts | locks | leaks every | runs from | runs until | runs till | runs out |
        meets | meet every | is | are | 's | has | lives | live | runs on | run on | runs in | runs at | runs under | runs every |
        runs as | takes | costs | opens | closes | starts at | starts on | ends on | ends in | means | works from | works on |
        works at | works in | holds | needs | speaks | sits | owns | handles | accepts | accept | rejects | supports | expires |
        expire | renews | lapses | gets wiped | gets reset | keeps | covers | signs off | signs | ships | listens | lies |
        serves | maps to | points to | refers to | stands for | depends on | comes from | comes in | can be | can only |
        only accepts | only takes | only works | only speaks | want | wants | allows | requires | require | resets | restarts |
        reboots | rotates | hangs | eats | drinks | sleeps | prefers | hates | likes | leaves at | arrives | pays | bills |
        goes by | answers to | reports to | looks after | in charge | responsible for | takes care of | deals with | does the |
        does not | do not have | does not have | has no | have no | there is no | there are no | is no | are no | we have""",
    "contrast": """
        not .. but | , not | and not | instead | rather than | used to | no longer | any more | anymore | is now | are now |
        was .. now | , now | these days | nowadays | in fact | as opposed to | the other way | other way round | not the | not a |
        not an | not at | not in | not on | not for | not by | not since | not until | formerly | renamed | moved to |
        moved from | replaced | retired | scrapped | left in | is gone | are gone | has been | have been | since | switched |
        was never | were never | it was | it is | they are | that was | one is | ones are | is the | are the | for the | not 's |
        is not | are not | was not | were not | does not | did not""",
    "denies": """
        ^no | ^nope | ^nah | ^wrong | ^incorrect | ^not quite | ^not true | ^not correct | ^not right | ^not really |
        ^not exactly | ^hold on | ^wait | ^actually | ^that 's not | ^that is not | ^this is not | ^it is not | ^it 's not |
        ^you are mistaken | ^correction | ^careful | ^close | ^close , | ^almost | ^nearly | ^hm | doubt | is off | are off |
        mixed up | mix up | mixing up | confus* | where did you get | where do you get | who told you | who says | no such |
        does not exist | do not exist | i never | not what i | not what we | you have got | you have the wrong | wrong |
        incorrect | mistaken | outdated | out of date | stale | the old price | the old plan | 's the old | is the old |
        was the old | that 's last year | look again | check again | read again | count again | can not be right | misread |
        misunderst* | misremember* | mistake | slip | typo | ^eh | ^whoa | ^oops | ^um | not so | far from | on the contrary |
        quite the opposite | backwards | the wrong way | swapped | not him | not her | that was before | that changed |
        has changed | things have changed | the other one | old news""",
    "you did": """
        you deleted | you removed | you counted | you treated | you wrote | you put | you set | you assumed | you called |
        you said | you took | you forgot | you missed | you changed | you renamed | you added | you entered | you listed |
        you made | you translated | you ignored | you skipped | you keep | you kept | you are using | you used | you have been |
        you were | you have | you had | you broke | you left | you gave | you sent | you started | you invented | you mentioned |
        you claimed | you suggested | you picked | you chose | you spelled | you spelt | you swapped | you mixed | you read |
        you think | you thought | you seem | you still | you always | you again | you never | you did | you quoted | you dated |
        you booked | you attached | you converted | you rounded | you *ed | like you | as you | your draft | your date |
        your version | your list | your summary | your last | your answer | your numbers | your total | the one you""",
    "lesson": """
        bounced | got burned | got bitten | nearly lost | someone deleted | wiped | since then | ever since | never again |
        learned that | the cost was | last time | last year we | last year i | last month we | last month i | last week we |
        the hard way | lesson | learned | learnt | turns out | turned out | bit us | bitten | burned | burnt | cost us | cost me |
        took us | we lost | i lost | ended up | blew up | came back | so now | so we | so please | so never | so do not |
        so always | so keep | so use | so check | so ask | went wrong | mess | broke .. last | twice already | gets bounced |
        get bounced | will bounce | will reject | trips | tripped | otherwise | or else | because of that | which is why |
        that is why | that 's why | gotcha | caveat | beware | watch out | surprise | stung""",
    "settles": """
        ^going with | ^dropping | ^taking early | ^taking the | ^taking my | ^pulling my | ^pulling the | ^moving to |
        ^moving the | ^moving my | ^moving our | ^moving from | ^switching | ^cancelling | ^canceling | ^keeping the |
        ^keeping my | ^keeping our | ^keeping it | ^selling | ^buying the | ^buying a | ^quitting | ^leaving the | ^leaving my |
        ^hiring | ^ditching | ^renewing | ^replacing | ^retiring | ^merging | ^closing the | ^closing our | ^swapping |
        ^sticking with | ^sticking to | ^staying with | ^staying on | ^staying in | done deciding | plan stands | lock it in |
        lock in | locked in | locking in | sorted with | landed on | pulled the trigger | pull the trigger | turning down |
        turned down | turn down | said yes | said no to | nodded | signed off | gave the go-ahead | go-ahead | overruled |
        switched off at | gets switched off | shuts down | winding down | phased out | vote 's in | vote is in | vote passed |
        vote went | the vote was | after a vote | won the vote | lost the vote | outvoted | backed | the board *ed |
        the board chose | the board went | the committee *ed | management *ed | the council *ed | the group *ed |
        the partners *ed | gave the nod | gave the green | deposit is paid | deposit paid | paid the deposit | deposit went |
        's ordered | is ordered | are ordered | is booked | is signed | 's signed | got the job | the name stays |
        stays as it is | settled on | settle on | settled for | you win | i am taking | i am leaving | i am quitting |
        i am selling | i am buying | i am keeping | i am moving | i am joining | i am cancelling | i am going with |
        i am dropping | we start | we launch | we ship | it is gonna be | gonna be | is gonna | so it is | history |
        that settles it | elected | appointed | hired | we have hired | accepted the | bought the | sold the | won over |
        wins over | beat out | beats | opted | opting | we opted | will no longer | stops | ends in | starting in |
        starting with | starting next | decided | agreed | settled | picked | chosen | chose | voted | going with | go with |
        gone with | team went with | goes with | just signed | we signed | i signed | has signed | have signed | signed with |
        signed the | booked it | dropping | drop the | dropped | switching | switch to | moving to | move to | staying with |
        stay with | staying on | stick with | sticking with | final | it is $ | that 's it | that 's that | done deal | made up |
        off the table | is out , | is out $ | , .. is in $ | won because | won out | wins | loses | approved | we are not |
        we will not | we are going | we are moving | we are switching | we are dropping | we are keeping | we are staying |
        we are buying | we are selling | we are hiring | we are using | we are getting | we are taking | we will use |
        we will keep | we will go | i am going to be | green light | green-lit | greenlit | ruled | ruled out | the plan is |
        will replace | replaces | goes live | going for | went for | the verdict | after the meeting | after the vote |
        after the benchmark | after much | talked it over | slept on it | bite the bullet | pull the plug | pulled the plug |
        axed | kill the | killing | cancelled | canceled | scrap | scrapping | retiring | adopting | adopt | approval |
        unanimous | consensus | everyone 's on board | on board | no turning back | committed to | closing the | that 's final |
        that 's decided | no more | for the better | in favour of | in favor of | over to | the winner | we have chosen |
        end of discussion | case closed | moves to | move .. to | is moving | will move | ditch | ditching | ditched | shelved |
        shelving | postponed | pushed back | brought forward | not renewing | renewing""",
    "tastes": """
        hands off | rule of thumb | or it did not happen | gets bounced | you tend | tend to | do not sugarcoat | no fluff |
        no small talk | no preamble | no filler | get to the point | to the point | bottom line first | less of | spare |
        no more of | happy with | fine by me | simply does not | do not work for me | overwhelm* | i lose track |
        i lose the thread | i will not read | i will not open | i will not even | hurt my eyes | hurts my eyes | makes my head |
        get a headache | any day | bores me | boring | bore me | wastes my | waste my | wall of text | walls of text |
        long-winded | flowery | fluffy | chirpy | i learn better | i understand better | i think better | every single time |
        first , code | i say | prefer | prefers | i like | i love | i hate | i dislike | i enjoy | like .. better | love it when |
        hate it when | can not stand | can not bear | can not abide | fan of | favourite | favorite | i would rather |
        i 'd rather | would rather | rather | too long | too short | too verbose | too many | too much | too chatty | too wordy |
        too formal | too stiff | too casual | too technical | too polite | tires me | tire me | grates | annoys | annoy |
        annoying | bothers | irritates | gets on my nerves | drives me | drive me | makes me | make me | confuse me |
        confuses me | hard to read | easier for me | easier to read | suits me | works best | works better | work best |
        helps me | help me think | fine with me | plenty | enough for me | please no | no thanks | , thanks | , please |
        please , | fewer | shorter | briefer | brief | concise | terse | short | plain | simple | simpler | straight | blunt |
        direct | polite | formal | informal | casual | skip the | spare me | leave out | leave .. out | cut the | drop the |
        drop .. pleasantries | without the | no need for | no need to | do not bother | quit | stop | avoid | less | more like |
        i am a | i am not a | i think in | i read | i do not want | i do not like | i do not need | i do not care | i only want |
        all i want | i want no | i want short | i want plain | i want your | i want everything | do not like | do not eat |
        i do not | i never | i always | i only | i find | i am fine | as few | as short | one line | one sentence | two lines |
        three lines | address me | in capitals | lowercase | my style | my taste | over""",
    "order": """
        ^use | ^keep | ^put | ^write | ^answer | ^reply | ^give | ^show | ^ask | ^tell | ^make | ^add | ^run | ^check | ^name |
        ^call | ^leave | ^do | ^do not | ^avoid | ^stop | ^skip | ^prefix | ^start | ^end | ^format | ^quote | ^cite | ^link |
        ^round | ^convert | ^include | ^mention | ^explain | ^stick | ^follow | ^prefer | ^treat | ^spell | ^address | ^sign |
        ^commit | ^squash | ^rebase | ^push | ^test | ^log | ^wrap | ^sort | ^list | ^document | ^review | ^deploy | ^ping |
        ^warn | ^confirm | ^wait | ^assume | ^default | ^limit | ^mark | ^book | ^order | ^send | ^print | ^never | ^always |
        ^only | ^no | ^please | ^spare | ^quit | ^drop | ^cut | ^speak | ^talk | ^respond""",
    "task": """
        ^translate | ^summari* | ^rephrase | ^proofread | ^polish | ^rewrite | ^draft | ^write a | ^write an | ^write me |
        ^write the | ^compose | ^explain | ^list | ^give me | ^show me the | ^tell me | ^find | ^fix | ^rename | ^run | ^check |
        ^calculate | ^convert | ^make a | ^make me | ^create | ^generate | ^design | ^estimate | ^compare | ^add | ^set |
        ^remind me | ^help | ^look | ^read | ^sort | ^turn | ^shorten | ^plan | ^suggest | ^recommend | ^pick | ^choose | ^count |
        ^search | ^open | ^delete | ^remove | ^move | ^update | ^upgrade | ^refactor | ^implement | ^build | ^deploy | ^revert |
        ^print | ^put together | ^come up | ^i need | ^we need | ^i want a | ^i would like | ^let me | ^i will | ^can you |
        ^could you | ^would you | ^will you | ^do you | ^describe | ^outline | ^brainstorm | ^analy* | ^review | ^test | ^try |
        ^change | ^replace | ^format | ^extract | ^merge | ^commit | ^push | ^invent | ^imagine | ^pretend | ^act as | ^play |
        ^walk me | ^guess | ^name | ^what | ^how | ^why | ^which | ^who | ^when | ^where | ^is | ^are | ^does | ^did | ^should""",
    "the one": """
        the file | this file | the function | this function | the paragraph | this paragraph | the text | this text | the email |
        this email | the mail | this mail | the letter | this letter | the diff | the draft | this draft | this script |
        the script | the code | this code | the test | the tests | this test | the error | this error | the list below |
        the table below | the text below | below | above | attached | the following | following | this page | the page | the log |
        this log | the commit | the branch | the pr | this pr | this list | this table | the readme | the numbers | these |
        this one | line | this method | the method | this class | the class | this brochure | this report | the report |
        this query | this sentence | this chapter | chapter | in this message""",
    "now": """
        i have a meeting | i have a call | i have a flight | i have a headache | we have guests | just knocked | about to die |
        week 's | month 's | year 's | today 's | yesterday 's | tomorrow 's | monday 's | friday 's | today | tonight |
        tomorrow | right now | this time | just this | just once | this once | for now | yet | at the moment | currently |
        this morning | yesterday | this afternoon | this evening | only here | for this | in this one | this one | later today |
        next week | next monday | next friday | this week | in an hour | in ten minutes | first , | a minute | a moment |
        a second | one moment | for a moment | meanwhile | until then | this sprint | one-off | for once | exception | just now |
        a minute ago | an hour ago | so far | again | still | finally | waiting for | in traffic | on the train | on the bus |
        driving | in a meeting | be right back | brb | back in | out of coffee | compiling | as we speak | pushed | landed |
        on my way | talk later | at the dentist | at the doctor | as they are | as it is | got to go""",
    "trouble": """
        something is wrong | something 's wrong | nothing 's wrong | nothing is wrong | anything wrong | wrong with |
        going wrong | 403 | 401 | 429 | late | delayed | getting a | throws a | reload | hang | eats my | ate my | piece of |
        screams | error | errors | fail* | crash* | broken | bug | bugs | stuck | weird | strange | odd | flicker* | not work |
        not working | stopped working | 502 | 500 | 404 | 503 | exception | traceback | segfault | slow | hanging | timeout |
        timeouts | timed out | times out | no idea | keeps | throws | throwing | warning | warnings | refuses | complains |
        leaking | leaks | blinking | beeping | noise | smell | smells | hurts | won 't | will not start | does not start |
        does not load | not load | freezes | frozen | red | flaky | what could | any idea | any ideas | what 's wrong |
        lost connection | disconnects | unreachable | denied | rejected my | corrupted | missing | suddenly | out of nowhere |
        for no reason""",
    "doubt": """
        until we | until i | until you | until the tests | until they | before we have | before you have | ^say a | ^say we |
        pretend | ^pretend | would be nice | up in the air | dunno | no clue | wouldn 't mind | maybe | perhaps | might | may be |
        could | would | if | suppose | imagine | what if | thinking about | thinking of | considering | consider | wonder |
        wondering | not sure | unsure | torn | not decided | undecided | depends | one day | some day | someday | possibly |
        probably | i guess | i think | seems | seem | looks like | pros and cons | thinking aloud | thinking out loud |
        eventually | hope | hopefully | wish | toying | tempted | leaning | not yet | haven 't | have not | were to | would have |
        had we | had i | should we | should i | shall we | kind of | sort of | guess | assume | hypothetically | in theory |
        let's say | say we | debating | on the fence | whether | either""",
    "said": """
        said | says | saying | wrote | writes | told | asks | asked | claims | claimed | according to | thinks | quote | quotes |
        reviewer | reviewers | user story | user stories | the customer | a customer | the client | the guest | a guest |
        student | commented | comment says | complains | argues | states that | insists | posted | tweeted | texted | emailed |
        mailed | from : | subject : | headline | article | transcript | the docs say | the log says | the email says | heard |
        rumour | rumor | apparently | supposedly | she | he | they say | people say""",
    "thanks": """
        thanks | thank | thx | cheers | awesome | lol | haha | hello | hi | good morning | morning ! | good night | nice | cool |
        congrat* | that did it | works now | works great | well done | bravo | see you | bye | have a | how are | how 's |
        good job | great job | lovely | perfect | brilliant | you rock | legend | love it | wow | phew | yay | welcome |
        same here | happy | glad | let me down | disappoint* | so patient | so kind | so helpful | so well | a pleasure |
        lifesaver | exactly what i | tired | exhausted | bored | funny | weather | raining | sunny | weekend""",
    "story": """
        i went | i tried | i got | i saw | i was | i just | i did | i have just | i finished | i spent | i found | i made |
        i fixed | i pushed | i merged | i committed | i read | i wrote | i ran | i watched | i met | i bought | i ate | i slept |
        i woke | i forgot | i am trying | i am working | i am going to | i am looking | i am reading | i am writing | i am on |
        i am at | i am in the middle | i am about | i have been | i have to | i need to | i am stuck | i am having | we went |
        we had | we tried | we just | we were | we got | we met | i had a | i had to | i ordered | i noticed | i am getting |
        i keep getting | i will be | i would like | i need""",
    "intent": """
        i want to | i want you to | we want to | i want this | i want it | let us | let's | i will | i am going to | i need to |
        i have to | i need | we need | we have to | i would like to | i would like you | i would like the | can we | trying to |
        about to | going to try | i am trying | planning to | we should | i should | do that | go on | go ahead | ship it |
        start with | begin with""",
    "chat": """
        you can do it | photo | pic | pics | picture | being alone | key to | is key | so proud | rewarding | friends |
        friendship | encouragement | motivat* | passion | passionate | fan of | freedom | happiness | happy to | help you |
        let me know | here for you | blast | adventure | creative | creating | stay positive | success | failures |
        progress takes | moving forward ! | nature | community | powerful | challenge | tough | volunteering | workshop | yoga |
        healing | self-care | cute | lovely | charity | in this together | means a lot | hear from you | keep pushing | hope you |
        you will feel | gotten | experience | amazing | great | proud | so glad | excited | exciting | can not wait |
        can 't wait | good luck | keep it up | keep going | you have got this | here is to | here 's to | sounds | journey |
        inspiring | inspired | feel | feels | feeling | fun | so cool | so much | it means | wonderful | beautiful | memories |
        remind* me | believe | dream | dreams | joy | heart | soul | peaceful | relaxing | awesome | cool | looks | look good |
        makes sense | fair enough | good point | i see | got it | good idea | interesting | clever | subtle | much better than |
        the best | hang in there | take care | totally | grateful | appreciate""",
    "points": """
        ^it | ^this | ^that | ^these | ^those | ^they | ^she | ^he | ^there | this one | that one | this way | like that |
        like this""",
    "fiction": """
        movie | film | book | novel | song | lyrics | game | character | poem | story | episode | narrator | hero | chapter |
        scene | fairy tale | joke | riddle | trivia | history | century | romans | roman empire | in theory | philosopher | quiz |
        crossword""",
}
