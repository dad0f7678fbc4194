"""Cues of English."""

from shared.core.sessions.languages.language import Phrases

#: Bugs and reports of what a program does, which take nothing back that a memory could say.
_TROUBLE = (
    r"(?:fail(?:s|ed|ing|ure)?|crash\w*|broken?|breaks|error\w*|bugs?|works?|working|hang(?:s|ing)?|loads?|loading|compile[sd]?|starts?|"
    r"show(?:s|ing|n)?|appears?|responds?|throw(?:s|n|ing)?|understand|know|remember)"
)
_KEPT_IN = r"(?:memory|memories|notes?|claude\.md|agents\.md|gemini\.md|memory\.md|rules?|guidelines?|cursorrules)"
#: Verbs of a standing order, beside those of a task.
_STAND = r"(?:use|go with|stick (?:with|to)|stay (?:with|on)|keep|switch to|move to|prefer|avoid|drop|follow|default to|standardi[sz]e on)"
#: One piece of work: what is wanted in it alone is wanted once.
_PIECE = r"(?:e?mail|message|letter|reply|answer|file|chart|plot|figure|table|paragraph|page|slide|commit|run|call|question|script|post|text|case)"
_POINTS = r"(?!\b(?:this|that|it|these|those)\b)"
_DOES = (
    r"(?:use|deploy|release|ship|run|host|store|keep|write|name|call|commit|merge|tag|test|support|allow|target|track|review|"
    r"follow|require|prefer|avoid)"
)

ENGLISH = Phrases(
    code="en",
    words="""the a an and is are not we you i it this that to of in for on with be was have has do does don't please use can could would
        should but no yes always never my our your when what how if so or from by at as just only now let lets me they
        instead remember it's add make run fix test code file""",
    lead=r"ok(?:ay)?|yes|yeah|yep|sure|right|good|great|cool|nice|thanks?|thank you|alright|so|and|but|also|well|oh|ah|uh|um|er|please|just|hm+|wait|"
    r"no|nope|again|now|then|first|next|quickly|actually|hey|sorry|seriously|listen|"
    r"for the \w+ time|(?:as|like) i (?:already )?(?:said|told you)|once more|one more time|remember|important|rule|note|reminder",
    question=r"<head>(?:what(?! (?:i|we|you)(?:'m|'re|'d|'ve)? )|how(?!ever)|why|where(?![^,]{1,120},)|when(?:(?=[^,]{0,300}$)(?! (?:you|we|i) )|(?= (?:does|do|is|are|will|did|should)\b))|who|which|whose|"
    r"does|do (?:you|we|i|they)|did|is|are|was|were|has|have (?:you|we|they|i)|should|would it|can it|any (?:idea|chance)|i wonder|i'm wondering|wondering|(?:i|we)(?: really)? (?:don't|do not|can't|cannot) (?:know|remember|recall)|no idea|not sure|"
    r"(?:can|could|would) you (?:please )?(?:explain|tell|show|describe)|isn't|aren't|wasn't|doesn't|couldn't|shouldn't|wouldn't|can't(?! (?:stand|bear|abide|eat|drink|have)\b))\b",
    request=r"<head>(?:(?:can|could|would|will|may|shall) (?:you|we|i|someone)\b|let me\b|(?:i'll|i will|i'm going to|i am going to|i'm gonna)\b|"
    r"(?:i|we) (?:want|need|would like|wanna)(?: you| us)? to (?!(?:use|go with|stick|keep|avoid|always|never|prefer|switch)\b)|(?:i|we)(?:'d| would) like (?:you |us |it )?to (?!(?:use|keep|avoid|always|never|stick)\b)|"
    r"(?:i|we) need\b|"
    r"(?:let's|lets|let us) (?!(?:just |all |please |only |always |never )?(?:use|go (?:with|for)|stick|stay|keep (?!going)|switch|move to|avoid|drop|not|never|always|call|name|default|standardi[sz]e|agree)\b)|"
    r"go ahead\b|you can\b|(?:is|are) there (?:any|a|no|another|some)\b|how about\b|what about\b|what if\b|why not\b|"
    r"(?:try to )?(?:re-?run|run|check|double-check|look(?! again\b)|see|start|continue|proceed|go on|open|commit|push|test|verify|validate|read|search|grep|"
    r"find|fix|debug|think|review|explain|show|tell|list|print|investigate|rebase|merge|build|compile|restart|retry|try|summari[sz]e|"
    r"describe|address|take a look|have a look|dig|analy[sz]e|get|give|begin|finish|view|inspect|examine|walk|help|confirm|format|lint|delete|"
    r"do|add|move|rename|remove|change|update|implement|create|write|generate|refactor|replace|put|set|install|convert|make|extract|split|revert|undo|roll|"
    r"bring|restore|export|import|download|upload|fetch|print|scan|transcribe|publish|schedule|forward|attach|translate|bump|upgrade|handle|ensure|simplify|clean|configure|enable|disable|wire|hook|document|draft|apply|rewrite|combine|edit)\b)",
    moment=r"<head>(?:hold (?:off|on)|hang on)\b|\bstill (?:fail\w*|broken|red|nothing|the same)\b|, then stop\b|"
    r"\b(?:(?:for|in) this one|so far|not yet|for now|this time|until (?:i|we|you)|right now|for the moment|just this once|today|yet(?! another| more))\b",
    reported=r"^(?!\W{0,8}(?:i|we|as i|like i|my|our)\b)[^:\n]{2,80}\b(?:said|says|saying|wrote|writes|commented|reads|states?|suggests?|suggested|claims?|asked|"
    r"errors?|error (?:message|log)|output|stack trace|(?:the|a|this|his|her|their|pr|review) comments?|feedback|tweet|quote)\b[^:\n]{0,40}:|^\W{0,8}according to\b|^\W{0,8}(?:lyrics?|joke|riddle|quote)\s?:|^\W{0,8}(?:\w{0,40}(?:warning|error|exception)|caution|danger)\s?:|"
    r"^[^\n]{0,30}\bas an? \w+(?: \w+)?,? i (?:want|need|can|would)\b|"
    r"^\W{0,8}in (?:the|a|this|that|his|her|my favou?rite) (?:novel|book|film|movie|story|game|series|show|song|poem|play|article|paper|episode)\b|"
    r"<head>(?:translate|summari[sz]e|proofread|rephrase|paraphrase|shorten|polish|transcribe|spell-?check)\b[^:\n]{0,60}:|"
    r"<head>(?:rewrite|reword|rework|rephrase|improve|edit|correct|continue|(?:make|turn) (?:this|it|that|the)\b)[^:\n]{0,60}:|<head>once upon a time\b|"
    r"^\W{0,8}(?!(?:i|we|you|as i|like i|as we)\b)(?:\w+ ){1,6}(?:said|says?|thinks?|claims?|suggested|suggests|told (?:me|us)|wrote|asked)\b(?! (?:(?:me|us) to|yes|no to)\b)",
    idle=r"\bas (?:they|people) say\W*$|\bas the (?:saying|song) goes\b|^\W{0,8}(?!(?:i|we|you|your|as|like|remember|note|if|when|so|that|this|it|please|important)\b)(?![^\n]{0,400}\b(?:but|actually)\b)(?:[\w'-]+ ){1,4}"
    r"(?:thinks?|believes?|reckons?|swears?|used to say|always (?:says?|said)|keeps? (?:saying|telling)|(?:is|are) convinced)\b|"
    r"<head>(?:suppose|supposing|imagine|pretend|hypothetically|what if|let's (?:say|pretend|imagine|assume)|(?:assume|assuming|say) (?:that )?(?:i|we|you|for a moment)|"
    r"if (?:i|we) (?:were|had|preferred|wanted|liked|lived|chose|decided|used|switched|moved|could))\b|"
    r"<head>(?:you're|you are|you were) (?:(?:absolutely|quite|totally|so) )?right\b(?! (?:that|to|about)\b)(?![^\n]{0,400}\bbut\b)|"
    r"<head>(?:no|nope|nah)[,.! ]{1,3}(?:(?:that|it|all|you|i|we)(?:'s|'re|'m| is| are| am)? )?(?:all |totally )?(?:fine|ok(?:ay)?|good|perfect|great|alright)(?=\W{0,4}$|[,.!;] ?(?:thanks?|leave|go|just|really|no)\b)|"
    r"\b(?:just|only) (?:for )?(?:this (?:once|one|time)|today)\b|\bthis (?:once|one time) only\b|"
    rf"\b(?:(?:just|only) (?:for|in) this (?:one )?{_PIECE}|(?:for|in) this (?:one )?{_PIECE} (?:only|alone))\b|"
    r"<head>(?:do you |you )?(?:still )?remember (?:when (?!you\b|\w+ing\b)|how (?:we|it|i)\b|(?:the|that|those) (?:time|day|night|summer|year)s? (?:we|i|you|he|she|they|when|it)\b)|"
    r"<head>(?:no|nope|nah)[,.! ]{1,3}(?:not (?:that|this) one|the other (?:one|\w+)|the one (?:on|in|above|below|at)\b[^.!?\n]{0,40})(?=\W{0,4}$|[.,!;])|"
    r"\bi meant the (?:other|first|second|third|last|next|one|\w+ (?:on page|on line|above|below|on the (?:left|right)))\b|"
    r"\bnever say never\b|<head>(?:never ?mind|forget (?:it|about it|that)|scratch that)(?=\W{0,4}$|[,.!;])|"
    r"\bdecided (?:to|on|against)\b[^.!?\n]{1,80}[,;] (?:it|that) was (?:\w+ )?(?:fun|great|lovely|nice|delicious|awful|amazing|wonderful|boring)\b",
    trouble=rf"\b{_TROUBLE}\b",
    states=r"\b(?:is|are|was|were|has|have|had|must|should|cannot|can|will|can't|won't|doesn't|don't|isn't|aren't|uses?|needs?|requires?|runs?|lives?|stays?|listens?|"
    r"belongs?|costs?|expires?|owns?|accepts?|rejects?|supports?|depends?|means|holds?|takes?|expects?|returns?|allows?|starts?|ends?|goes|comes|moved|migrated|switched|renamed|"
    r"replaced|upgraded|decided|agreed|chose|rotated|retired)\b|^\W{0,8}(?:lesson|learn(?:ed|t)|gotcha|root cause|finding|decision|insight|caveat|convention|rule)\b[^:\n]{0,20}:|\bturn(?:s|ed) out\b",
    narrates=r"^\W{0,8}(?:(?:i|we|just|also|then|finally|still|now|today)\s+){0,3}(?:ran|run|running|fixed|fixing|looked|looking|tried|trying|tested|testing|started|continued|reviewed|reviewing|read|reading|wrote|writing|talked|"
    r"met|checked|checking|debugged|debugging|refactored|cleaned|merged|pushed|pulled|committed|updated|opened|closed|spent|worked|working|investigat\w+|finished|done|completed|stand-?up|lunch|break|"
    r"coffee|need(?:s|ed)? to|should|must|idea|ask|buy|call|remind|meeting|call with|synced|todo|wip|waiting|asked|answered|helped|set up|setting up|deployed|released|restarted|rebased|added|removed|implemented|created|began|resumed|paused|stopped|"
    r"woke|heartbeat|session (?:start|end)\w*|all (?:tests|green|good)|tests? (?:pass|are|is)|build (?:is|green|red|pass|fail)\w*|nothing|no (?:news|changes)|ok|good (?:morning|evening))\b|"
    r"\b(?:is|are|was|were) (?:still |now |all )?(?:red|green|broken|failing|down|up|slow|flaky|running|passing|blocked|pending|in progress|done|ready|fine|ok|happy|late|stuck|quiet|busy|there|here)\b|"
    r"\b(?:right now|at the moment|for now|today|tomorrow|tonight|this (?:morning|afternoon|evening)|so far)\b",
    opening=r"^(?:(?:nope|actually|wait|hmm+|ok(?:ay)?|yes|yeah|yep|again|ugh|gah|argh|wtf|damn|sorry|please|also|and|but|so|oh|well)\b[,.!:\s]*|no\b\s{0,2}[,.!:;\u2013-]+\s*)*"
    r"(?:how (?:many times|often) (?:do|must|should|did) i (?:have to |need to )?(?:say|tell|repeat|explain)\b[^?!.]{0,30}[?!.]+\s*)?"
    r"(?:(?:for the \w+ time|stop it|seriously|i (?:keep|kept) (?:telling you|reminding you|saying|repeating)(?: it| this)?|"
    r"(?:(?:as|like) )?i(?:'ve| have)? (?:already |just )?(?:said|mentioned|told you(?: to)?)(?! (?:about|of|how|what|why|not)\b)"
    r"(?: (?:this |it )?(?:a (?:hundred|thousand|million|dozen) times|many times|so often|twice|\d+ times))?(?: already| before| earlier)?|"
    r"(?:as|like) we (?:already )?(?:said|mentioned)(?: before| earlier| already)?)\b[,.!:\s]*(?:that\s+)?)*"
    r"(?:(?:that'?s|this is|you(?:'re| are)) (?:wrong|not right|not correct|incorrect|mistaken)[,.!:\s]+)?"
    r"(?:(?:please )?(?:remember|note|keep in mind|don'?t forget|make a note(?! would)|save to memory|for future reference|"
    r"for the record|fyi|important)\b[,:]?\s*(?:that\s+)?)?",
    corrections=(
        (
            "no",
            0.8,
            r"<head>(?:no|nope|nah)\b(?!,? (?:thanks?|thank|problem|worries|need|rush|idea|more|one|go ahead|just|please|matter|big|wonder|doubt|"
            r"that's (?:fine|ok|okay|all|good)|it's (?:fine|ok|okay|good)|way\b))(?:[,.!:;]| [\u2013-])\s*\S|<head>(?:wrong|incorrect|correction)[,.!:;\u2013-]+ ?\S",
        ),
        (
            "another one now",
            0.6,
            r"\bit(?:'s| is) (?!me\b|you\b|us\b|people|those|someone|the ones)\w+ who (?!(?:is|was|asked|wrote|said)\b)\w+s\b[^.!?\n]{0,50}\b(?:now|these days|from now on)\b",
        ),
        (
            "takes back",
            0.8,
            r"<head>(?:scratch|strike) that\b|\bi (?:misspoke|mistyped|stand corrected(?=\W{1,4}\w+ \w))\b|\bi (?:was|got (?:it|that)) wrong\b"
            r"|\bmy (?:bad|mistake)\b(?=\W{1,4}\w+ \w+ \w)|\w+ \w+ \w+ [^.?!\n]{1,200}[,;\u2013-] ?my (?:bad|mistake)\b",
        ),
        (
            "ended",
            0.7,
            r"\b(?:we|i|they)(?:'ve| have|'d| had|) ?(?:not|haven't|hadn't|never) \w{3,15}\b[^.?!\n]{1,60}"
            r"\b(?:since|for (?:years|months|ages|a while)|in (?:years|months|ages))\b"
            r"|\b(?:we|i|they)(?:'ve| have)? (?:already |all |since |long )?(?:stopped using|quit using|got rid of|moved (?:off|away from)|did away with|"
            r"sunset|ditched|phased out|shut (?:it|them) down|haven't got)\b",
        ),
        (
            "mixed up",
            0.8,
            r"\byou(?:'ve| have|'re| are)? (?:\w+ ){0,3}?(?:mixed|mixing|swapped|confused|confusing|mistaking|mistook|conflating|thinking of)\b(?! me\b)"
            r"|\byou(?:'ve| have)? (?:got|had) [^.?!,;\n]{1,40} (?:mixed up|the wrong way (?:a)?round|swapped|confused)\b|\bother way (?:a)?round\b",
        ),
        (
            "not right",
            0.9,
            r"\b(?:you|that|this|it|which)(?:'re|'s| are| is| was| were) (?:just |simply |still |really )?not (?:correct|right|true|what (?:i|we)|how (?:i|we|it)|the case|where (?:i|we|it)|"
            r"exactly|quite right|accurate)\b",
        ),
        (
            "wrong",
            0.7,
            r"\b(?:that|this|it|you|your \w+|the answer|that assumption|your assumption)(?:'s|'re| is| are| was| were| got (?:it|that|this))? "
            r"(?:\w+ )?(?:wrong|incorrect|mistaken|false|untrue)\b(?! with\b)"
            r"|\byou(?:'ve| have)? (?:got|had|have|wrote|spelled|spelt|called|put|named|took|set) (?!me\b)[^.?!,;\n]{1,40} (?:wrong|backwards)\b",
        ),
        ("means", 0.7, r"\bwhen (?:i|we) say [^.?!\n]{1,40}\b(?:i|we) mean\b"),
        (
            "spelled",
            0.7,
            r"\b(?:is|are|was|[a-z]{1,20}'s) (?:actually |really )?(?:spelled|spelt|pronounced) (?!out\b)\S",
        ),
        ("isn't what", 0.9, r"\b(?:isn't|wasn't|not) (?:what|how|where) (?:i|we) \w+"),
        (
            "I meant",
            0.9,
            r"(?<!\bwhat )(?<!like )\bi (?:meant(?! to\b)|said(?! (?:yes|no)\b)|told you|already (?:said|told|asked|mentioned)|never (?:said|asked)|didn't (?:say|ask|mean)|asked (?:you|for))\b",
        ),
        ("actually", 0.6, r"(?:<head>|\bbut |, )actually\b[, ]+(?!(?:never mind|i think|maybe|can|could|let me)\b)"),
        (
            "not X but Y",
            0.9,
            r"\bnot (?:as|a|an|the|in|to|with|for|from|on|by)\b[^.?!\n]{1,60}\bbut (?!(?:i|it|we|you|that|they)\b)",
        ),
        (
            "X, not Y",
            0.7,
            r"\b(?:is|are|was|were|it's|should be|goes|belongs?|lives?|runs?|uses?|called|named|means|comes|in|on|at|to)\b[^.?!\n]{1,60}(?:, (?:and )?| and )not "
            r"(?!only|as\b|too\b|very|at all|much|even|have|be\b|to\b|an?\b|just|sure|yet|necessarily|so\b|because|that\b|to mention|bad|great|really|working)",
        ),
        (
            "X not Y",
            0.7,
            r"\b(?:on|in|at|to|from|called|named|under|by) (?:the )?[\w./-]{2,30} not (?:on |in |at |to |from |the )?(?!only|just|sure|yet|so\b|because|that\b|be\b|to\b|have|working)[\w./-]{2,30}(?:\s*[.,;!]|\s*$)",
        ),
        (
            "it's not X, it's Y",
            0.9,
            r"\b(?:is|are|was|'s)(?: not|n't) [^.?!,;\n]{1,50}[,;:\u2013-]+ ?(?:it's|it is|they're|they are|that's|but)\b(?! (?:i|not|ok|fine)\b)",
        ),
        (
            "instead",
            0.6,
            r"<sound>\b(?:instead of|rather than)\b|<head>(?:use|prefer|take)\b[^\n]{1,80}\binstead\b|\bshould (?:be|use|go|live|have)\b[^.?!\n]{1,60}\binstead\b",
        ),
        (
            "you did",
            0.7,
            r"\byou(?:'ve| have|'re| are)? (?:still |just |also |again |accidentally )?(?:forgot|missed|removed|broke|deleted|ignored|attached|misunderst\w{2,4}|misread|"
            r"overwrote|duplicated|invented|made up|mixed up|should(?:n't)? have|shouldn't|were supposed to|weren't supposed to|keep \w{2,12}ing)\b",
        ),
        (
            "order not to",
            0.7,
            r"<head>(?:don't|do not|stop|quit(?= \w{2,20}ing\b)|no need to|avoid)\b(?!\W*$)(?! (?:worry|know|think|understand|see|forget|hesitate|bother|mind|care|get me wrong|you|we|i|it|they|the server|the app|here|there|now)\b)",
        ),
        (
            "no longer",
            0.7,
            r"<sound>(?:\bno longer\b|\banymore\b|\bany more\b|\b(?:is|are|was|were|now|became) (?:now |officially |all )?(?:obsolete|deprecated|outdated|out of date|retired|gone)\b)",
        ),
        (
            "has changed",
            0.7,
            r"\b(?:has|have|was|were|got|is|are) (?:now |since |been |recently )*(?:moved|renamed|replaced|migrated|switched|changed) (?:to|by|from|with|into)\b",
        ),
    ),
    saves=(
        (
            "remember",
            0.9,
            r"(?<!n't )(?<!not )(?<!still )(?<!never )(?<!^you )(?<!do you )(?<!i )(?:(?<!to )|(?<=you to ))\bremember(?: that| this| to| these| for|:|,| (?:the|we|i|our|my) )",
        ),
        (
            "to memory",
            0.95,
            r"\b(?:save|store|add|put|write|record|note|commit|keep|append|document|log)\b[^.?!\n]{0,60}"
            rf"\b(?:to|in|into|as) (?:the |your |our |my |a )?(?:\w+ )?{_KEPT_IN}\b(?! (?:file )?(?:leak|usage|limit|bug))",
        ),
        (
            "update the file",
            0.95,
            r"\b(?:update|edit|extend|amend|change|refresh|fix)\b[^.?!\n]{0,40}\b(?:claude|agents|gemini|memory)\.md\b",
        ),
        (
            "keep in mind",
            0.85,
            r"\bkeep in mind\b|\b(?:write|jot|put|get) (?:this|that|it) down\b|\bdon't forget, (?!(?:you|we|i|ok)\b)\w+ \w+ \w|\bfor later:|\bfor the record\b|\bdon't forget(?!,| (?:you|me|us)\b)|\bmake a note\b|\bnote to self\b|\b(?:note|noting) (?:it )?down\b|\bbear in mind\b"
            r"|\bfor (?:future reference|next time)\b|\bmake sure you remember\b|\btake note\b",
        ),
        ("keep it in", 0.7, r"<head>keep (?:our|all|my|your)\b[^.!?\n]{1,60}\b(?:in|on|at|under)\b"),
        (
            "for your information",
            0.6,
            r"\b(?:just )?so (?:that )?you know\b|<head>you (?:should|need to|ought to|have to) know\b(?! (?:how|why|what|the answer|better|by now)\b)|<head>(?:fyi|note(?: that|:| for later| to self)|important:|nb:|heads up\b|ps:)",
        ),
    ),
    decisions=(
        (
            "decided",
            0.9,
            r"\b(?:we|i|team|management)(?:'ve| have| has| all| finally| also)* (?:decided|agreed|chose|picked|settled|opted|concluded|made (?:the|a) decision)\b(?! not yet)"
            r"|<head>(?:final )?decision(?::| is\b)|\bit (?:was|has been) (?:decided|agreed)\b|<head>(?:decided|agreed)[:,]? \w+ \w+",
        ),
        (
            "settled",
            0.8,
            r"<sound>\b(?:i|we)(?:'ve| have)?(?: all| finally| now| just)* (?:made up (?:my|our) minds?|chosen|made (?:my|our|a|the) (?:choice|decision))\b"
            r"|<head>(?:it|that|this|everything)(?:'s| is| has been) (?:now |all |finally |officially )?(?:settled|decided|agreed(?: up)?on?|agreed|a done deal)\b",
        ),
        (
            "verdict",
            0.8,
            r"\b(?:final answer|verdict|bottom line|outcome|upshot|resolution)(?: of [^:\n]{1,40})?(?::| is(?: that|:)| was\b)"
            r"|\b(?:that's|that is|it's|this is) (?:now )?(?:final|settled|decided|the decision|not negotiable|non-negotiable)\b(?! that)|<head>(?:settled|decided)(?::|,)"
            r"|\bdecision(?:'s| is| has been)? (?:made|taken|final)\b|\b(?:we|i|they|the \w+|management)(?:'ve| have| has)? (?:all )?(?:signed off on|voted (?:for|against|to)|ruled out|settled for)\b"
            r"|^(?![^\n]{0,200}\b(?:what|how|where|who|which|time|as|way|than|that|think|like)\b)[^.?!\n]{2,80}\b\w{2,} it is\W*$",
        ),
        (
            "let's",
            0.7,
            rf"\b(?:let's|lets|let us) (?:just |all |please |only )?(?:{_STAND}|go for|never|always|not|call|name)\b(?! (?:it up|going|that in mind|in touch|trying|this in mind|worry|forget))",
        ),
        (
            "we do",
            0.6,
            rf"(?<!what )(?<!how )(?<!why )(?<!if )(?<!when )(?<!as )(?<!where )(?<!maybe )(?<!perhaps )(?<!think )(?<!whether )\bwe(?:'ll| will|'re going to| are going to|'re| are| do| must| should)? (?:always |never |only |now |all |currently |don't |do not |just |no longer )*(?:{_DOES}|using|deploying|targeting|hosting|switching to|moving to|moved to|switched to|migrated to|standardi[sz]ed on|dropping|retiring|discontinuing|abandoning|adopting|phasing out)\b"
            r"(?! (?:see|check|look|find|know|(?:the|a) (?:test|migration)))",
        ),
        (
            "will not",
            0.6,
            r"\b(?:we|i)(?: won't| will not|(?:'re| are|'m| am) (?:not|no longer) going to) (?:fix|renew|support|ship|build|migrate|upgrade|extend|replace|continue|hire|buy|sell|sign)\b(?! (?:it )?(?:up|until|before|unless|if)\b)"
            r"|\b(?:we|i)(?:'re| are|'m| am) (?:not|no longer) (?:fixing|renewing|supporting|shipping|migrating|upgrading|extending|replacing|continuing|hiring|selling)\b",
        ),
        (
            "I want",
            0.6,
            r"\bi(?:'d| would| do| just| only| really)* (?:want|like)(?: us| you| everything| them)? to (?:use|keep|go with|stick|avoid|switch|always|never)\b",
        ),
        (
            "go with",
            0.85,
            r"\b(?:we|i)(?:'re| are|'ll| will|'m| am|'ve| have)?(?: just| definitely)? (?:go|going|went|gone|stick|sticking|stay|staying) (?:with|for) (?!(?:me|you|him|her|them|us|my|a (?:walk|run|hike|drive|swim)|lunch|dinner|coffee|it)\b)|<head>(?:go|stick|stay) with (?!(?:me|it|that|this|the (?:flow|first|second|third|last|latter|former|other|default)|option|number|whichever|whatever)\b)",
        ),
        (
            "the goal is",
            0.7,
            r"\bthe (?:plan|decision|goal|convention|rule|policy|agreement|requirement|standard)(?: here| for \w+)? (?:is|was)\b(?! (?:still |not |yet )*(?:open|pending|yours|up to|unclear|made|decided|known|clear)\b)|\b(?:trying|want) to achieve\b|\bmy goal (?:is|was|here)\b",
        ),
        ("choice", 0.6, r"^\W{0,4}(?:option )?\d{1,2}[a-z]?[,.) ]{1,3}(?:but|and|with|plus|except|only)\b"),
    ),
    facts=(
        (
            "is",
            0.6,
            r"\bi(?:'m| am) (?:(?:an?|strictly|mostly|also|fully|severely|very|quite|lactose|gluten|colou?r) ){0,2}(?:vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|"
            r"colou?r-?blind|dyslexic|deaf|left-handed|teetotal|intolerant|allergic)\b",
        ),
    ),
    lasting=(
        (
            "from now on",
            0.85,
            r"\bfrom (?:now|here|today) on\b|\bgoing forward\b|\bin (?:the )?future(?! (?:version|release))\b|\bmoving forward\b|\bhenceforth\b",
        ),
        (
            "always",
            0.7,
            r"<head>(?:(?:can|could|would|will) you )?(?:please )?(?:always|never|whenever|every time|each time)\b(?! (?:mind|forget|been|seen|heard|thought|works?|fails?|i\b|an? |so |happy|glad|nice|good to|the same))",
        ),
        (
            "always, of us",
            0.7,
            r"<sound>(?:[:;,] |\b(?:you (?:should|must|need to|have to)|(?:i (?:should|must)|we|should|must|please|to|and|will|people|(?!(?:is|was|has|does|this|it's|there's)\b)[a-z']+s|code|team)(?: should| must| need to| have to)?) )(?:always|never)\b"
            r"(?! (?:been|be (?:there|able)|seen|heard|had|thought|forget|mind|there|here|say))",
        ),
        (
            "as a rule",
            0.7,
            r"\bas a rule\b|\b(?:use|prefer|default to|enable|want)\b[^.?!\n]{1,60}\bby default\b|\bunder no circumstances\b|\bat all times\b|\bevery (?:commit|pr|pull request|release|test|function|module|endpoint) (?:must|should|needs?|has to)\b",
        ),
        (
            "whenever",
            0.6,
            r"\b(?:whenever|every time|each time|before|after) (?:you|we|a|an|each|every|any)\b[^,.?!\n]{2,60}, (?:please |always |first )?(?!(?:i|it|the|there|that|this|he|she|they|you get|we (?:had|saw|got|went))\b)[a-z]+ ",
        ),
        (
            "when you",
            0.6,
            r"<head>when you (?:give|show|send|write|answer|draft|suggest|summari[sz]e|present|list|explain|name|review|reply|quote|translate|book|order|plan|make|create|report|"
            r"format|cite|compare|propose|recommend|describe|refer|paste|share)\b[^,.?!\n]{2,60}, (?:please |always )?(?!(?:i|it|the|there|that|this|he|she|they|you|we|is|are|do|does|did|can|could|will|would|how|what|why)\b)[a-z]+ ",
        ),
        (
            "must",
            0.6,
            r"<sound>\b(?:all|every|each|any|no) (?:\w+ ){1,4}(?:must|should|have to|has to|may|needs? to)\b",
        ),
    ),
    preferences=(
        (
            "to be called",
            0.7,
            r"<head>(?:call|address) me (?!back|when|if|at\b|on\b|later|tomorrow|tonight|asap|now|crazy|old|stupid|paranoid|once|after|before|and\b|in\b|an?\b)\w+|\bmy pronouns\b",
        ),
        (
            "is and does not",
            0.6,
            r"\bi (?:don't|do not|never|can't|cannot) (?:eat|drink|smoke|drive|tolerate|speak)\b"
            r"|\bi (?:work|think|learn|read|sleep|concentrate|focus) best\b|\bi (?:always|never) (?:eat|drink|use|read|take|work|write|want|wear|travel|fly)\b",
        ),
        (
            "none for me",
            0.6,
            r"<head>no (?!one\b|problem|need|idea|thank|worr|rush|way|luck|news|time|chance|big)[\w-]{3,20}(?: [\w-]{2,20}){0,2} for me\b(?! (?:today|tonight|now|this|right|to|until|yet|either|tomorrow|at the moment)\b)",
        ),
        (
            "this over that",
            0.6,
            r"^\W{0,8}(?!(?:go|start|hand|turn|think|run|take|come|talk|look|read|pull|carry|roll|fall|left|it|game|all|move|jump|get|is|was|i|we|he|she|they|that|this|what|pass|switch|crossing)\b)"
            r"[\w-]+(?: [\w-]+){0,2}(?:,? (?:over|instead of|rather than)|, (?:not|never)) (?!and\b|there\b|here\b|again\b|the weekend\b|now\b|yet\b|sure\b)[\w-]+(?: [\w-]+){0,3}(?:\s*[.!,;(]|\s*$| (?:whenever|when|for|if|in|please|where)\b)"
            r"|^\W{0,8}[\w-]+(?: [\w-]+){0,2} only(?:,? please)?(?:\s*[.!]|\s*$)",
        ),
        (
            "kept within",
            0.6,
            r"\bkeep (?!this|that|it\b|going|trying|it up|calm|track|on\b|in mind|an eye)(?:[\w-]+ ){1,5}(?:under|below|within|at most|shorter than|short|shorter|brief|concise|lean|minimal|lower-?case|flat|sorted|out of|free of|to (?:one|two|three|a|\d+))\b",
        ),
        (
            "none of these",
            0.6,
            r"<head>no (?!(?:errors?|changes?|warnings?|typos?|bugs?|difference|luck|output|idea|issues?|problems?|hits?|results?)\b)[\w-]+(?: [\w-]+)? in (?:\w+ )?(?:commits?|commit messages?|messages|comments?|answers?|replies|responses|"
            r"code|subjects?|titles?|docs|emails?|mails|headings?|tests)\b|\band no \w+(?: \w+)?, (?:thanks|please)\b|<head>no (?:more )?[\w-]+s(?: [\w-]+)?,? please\W*$",
        ),
        (
            "left to do",
            0.6,
            r"\byou (?:don't|do not|needn't) (?:need to|have to)?\s?(?:explain|ask|apologi[sz]e|confirm|remind|repeat|summari[sz]e|thank|mention|greet|comment|praise)\b"
            r"|\b(?:ask|check with|tell|warn|consult|inform)(?: me)?(?: first)? before (?:you |any )?\w+|\b(?:without|unless) (?:asking|telling|checking with|warning|consulting) me\b",
        ),
        (
            "taste",
            0.7,
            r"\bi(?:'d| would)?(?: really| much| generally| usually| strongly| definitely| still)* (?:prefer|rather)\b(?! (?:this|that|these|those|sleep|wait|think|see|not (?:say|talk|go)|the (?:first|second|third|last|latter|former|other|old|new|previous))\b)|<head>can't (?:stand|bear|abide) (?!(?:this|that|it|him|her|them)\b)|\bi(?: really| absolutely| generally| usually| just)* (?:like|love|hate|dislike|don't like|do not like|can't stand|don't want|enjoy)\b"
            r"(?! (?:that|this|it(?! when\b)|your|the idea|how|what|where|when you|to see|these|those|the (?:way|look|sound)|you)\b)|\bmy (?:preference|favou?rite)\b|\bi'm not a (?:big )?fan of\b|\b(?:it|that|this) (?:annoys|bothers|irritates) me when\b|\bdrives me (?:crazy|mad|nuts|up the wall)\b",
        ),
        (
            "fond of",
            0.6,
            r"\bi(?:'m| am|'ve been| have been) (?:\w+ )?(?:hooked on|into|obsessed with|crazy about|keen on|allergic to|a (?:big )?fan of)\b",
        ),
        ("looking for", 0.5, r"\bi(?:'m| am) (?:still )?looking for (?:a|an|some|something|somewhere)\b"),
        (
            "habit",
            0.5,
            r"\bwhen(?:ever)? i(?:'m| am) [^.?!\n]{2,60}, i\b|\bi (?:usually|normally|typically|generally) \w+",
        ),
        (
            "kept simple",
            0.6,
            r"\bnothing (?:exotic|fancy|special)\b|\bsimplest (?:possible|thing)\b|\bkeep (?:it|this|them|things|(?:your |the )?(?:answers?|replies|responses|comments|messages|commits|functions)) "
            r"(?:simple|short|small|minimal|concise|as is|brief)\b|\bover-?engineer\w{0,5}\b|\bmore concise\b|\btoo (?:verbose|wordy)\b|\b(?:answers?|replies|responses|explanations?|summar(?:y|ies)) (?:is|are|were|was) (?:way |much )?too (?:long|short)\b",
        ),
        (
            "use X",
            0.6,
            rf"<head>(?:use|prefer|follow|name|call|default to|stick (?:to|with)) {_POINTS}[^.!?\n]{{1,80}}\b(?:instead|not|over|everywhere|by default|for (?:all|every|any|each|new|the whole)|in (?:all|every))\b|<head>(?:answer|reply|respond|write) (?:to )?(?:me )?in [A-Z]\w+\b",
        ),
    ),
)
