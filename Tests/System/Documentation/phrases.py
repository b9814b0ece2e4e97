"""The phrases that texts of this project avoid, for the check in english.py."""
import re


class Phrase:
    """A pattern of whole words, what to write instead, an example it finds, and one it does not.

    A blank in the pattern is any white space. A line that `unless` matches may have the phrase.
    """

    def __init__(self, pattern, better, bad, good, unless=None):
        words = re.sub(r"(\(\?<[!=][^)]*\))| ", lambda match: match[1] or r"\s+", pattern)
        self.pattern = pattern
        self.expression = re.compile(rf"(?<![\w/.$&`-])(?:{words})(?![\w/-]|\.\w)", re.IGNORECASE)
        self.better, self.bad, self.good = better, bad, good
        self.unless = re.compile(unless) if unless else None


# Nouns that are not called "no X" and the like.
THINGS = (r"(?:valid )?(?:value|file|use|number|list|name|key|date|time|text|folder|option|command|code|limit|record|"
          r"column|field|table|pattern|type|object|requirement|JSON|CSV|UTF-8|zip|regular file|directory|database)s?")

PHRASES = [
    # One word for one thing.
    Phrase(r"notice[sd]?|noticing", "warning", "prints a notice", "prints a warning"),
    Phrase(r"(?:thing|something|anything|nothing|much|little) to look at", "warning",
           "it is a thing to look at", "it is a warning"),
    Phrase(r"things to look at", "warnings", "there are 2 things to look at", "there are 2 warnings"),
    Phrase(r"dumps?", "source file", "a dump of the family", "one of Rebrickable's dumps, in dumps/",
           unless=r"Rebrickable|\.dump|dumps?/|(?:generate|download|pg)[-_]dump|--source \S*dumps"),
    Phrase(r"accounts? (?:do|does|balance|balances)", "row counts add up", "its accounts balance",
           "its row counts add up"),
    Phrase(r"(?:the|an?|every|each|its|of|whole) accounts?", "row counts", "the account of a table",
           "a user account"),
    Phrase(r"(?<!schema )(?<!schema-)drift(?:s|ed)?", "schema drift; columns have changed", "this is drift",
           "this is schema drift"),
    Phrase(r"generations?", "source files from different days", "files of two generations",
           "files from different days"),
    Phrase(r"standing repairs?", "repairs", "a standing repair", "the repairs of --repairs"),
    Phrase(r"accepted (?:notices?|warnings?)", "suppressed warnings", "an accepted warning", "a suppressed warning"),
    Phrase(r"concerns? (?:about|of|that)", "warnings", "the concerns of a run", "separation of concern"),
    Phrase(r"(?:asks?|asking|call(?:s|ing)?) for attention", "a warning that affects the verdict",
           "it asks for attention", "attention to detail"),
    Phrase(r"(?:old|previous) catalog (?:file|before|that was)", "previous database", "the old catalog before it",
           "the previous database"),
    Phrase(r"(?:operator|user|others?)'s own SQL", "custom SQL", "the operator's own SQL", "custom SQL"),
    Phrase(r"your own SQL", "custom SQL", "runs your own SQL", "runs custom SQL"),
    Phrase(r"SQL of (?:others|yours|theirs)", "untrusted SQL; custom SQL", "runs SQL of others", "runs untrusted SQL"),

    # What was there before.
    Phrase(r"what (?:was|is|were|are|had been) there(?: before)?", "the previous database; the contents",
           "what was there before is kept", "the previous database is kept"),
    Phrase(r"still there,? untouched|as it was before", "kept; unchanged", "it is still there, untouched",
           "the previous database was kept"),
    Phrase(r"the one (?:before|that was)", "the previous one", "from the one before", "from the previous one"),

    # Speech.
    Phrase(r"tells?|telling|told", "print, report, show, warn", "this is not told twice", "this is printed once"),
    Phrase(r"speaks? of|spoken of|talks? of", "name, describe", "a message that speaks of it",
           "a message that names it"),
    Phrase(r"what is (?:said|meant|asked|wanted|told|given|done)", "name it: the options, the text",
           "print what is said here", "show this help"),
    Phrase(r"sa(?:y|ys|id) (?:so|it|which|what|how|that|whether|all|why|where|nothing)", "print, show, state, specify",
           "a file says which", "a file specifies the column"),
    Phrase(r"saying (?:so|which|what|how|that|whether|why|where)", "that shows; stating", "without saying why",
           "without a reason"),
    Phrase(r"what was asked for|what is asked for", "options; the request", "prints what was asked for",
           "prints the options"),
    Phrase(r"(?:is|are|was|were) asked (?:for|of)", "requested, expected", "it is asked for", "it is requested"),

    # Giving, taking, letting, wanting.
    Phrase(r"gives? (?:it|them|the name|a name|no|an? (?:fault|error|warning|empty|answer|message))",
           "print, return, produce, name", "it gives an empty answer", "it returns no rows"),
    Phrase(r"(?:was|were|is|are|be|been) given(?! (?:name|file|folder))", "specified; use the noun",
           "if the option is given", "with the option"),
    Phrase(r"as given", "as specified; unchanged", "keeps the value as given", "keeps the value unchanged"),
    Phrase(r"given up", "canceled, stopped", "the run is given up", "the run is canceled"),
    Phrase(r"lets? (?:it|the|an?|them|him|her|one|others|you|others?|all(?! =)|everything|nothing|no)", "allow; accept; may",
           "it lets the reader go on", "readers can continue"),
    Phrase(r"take[sn]?(?: (?:it|them|this|these|the \w+))? out", "remove", "take it out", "remove it"),
    Phrase(r"taking(?: (?:it|them|this|these|the \w+))? out", "removing", "taking them out", "removing them"),
    Phrase(r"take[sn]? (?:it|them|the \w+) (?:for|as|away|along)", "treat as; remove", "takes it for a number",
           "reads it as a number"),
    Phrase(r"(?:is|are|was|were) taken(?! from\b)", "used; read; accepted", "the first file is taken",
           "the first file is used"),
    Phrase(r"wants? (?:to|it|them|no|an?|the|that)", "expect; need; if you", "who wants to see it", "to see it"),
    Phrase(r"(?:is|are|was|were) wanted", "needed; expected", "a number is wanted", "expected a number"),
    Phrase(r"cannot be had|(?:can|could|to) be had", "not available", "this cannot be had", "this is not available"),
    Phrase(r"gets? no further", "cannot; stops", "it gets no further than this", "it stops here"),
    Phrase(r"get(?:s|ting)? in the way|in the way of", "block, prevent", "readers never get in the way",
           "readers never block"),

    # Knowing and finding.
    Phrase(r"knows? (?:of|nothing|it|them|no|the|an?|only|what|which|that|how|whether)", "has, reads, supports; cannot",
           "it knows no such option", "the option does not exist"),
    Phrase(r"finds? out|found out", "determine; check", "finds out the type", "determines the type"),
    Phrase(r"look(?:s|ed|ing)? at (?:this|these|it|them|that|those|the|all|every|each)", "check, read, examine",
           "look at these 2 things", "check these 2 warnings"),
    Phrase(r"nobody (?:has|writes|knows|reads|can|else|is|may|uses|waits|sees|needs|looks)", "no one; use the passive",
           "when nobody writes them", "once writing has finished"),
    Phrase(r"whoever", "the process that; users who", "whoever has locked it", "the process that locked it"),
    Phrase(r"whatever (?:is|was|it|they|happens)", "any; all; regardless of", "whatever it is",
           "any contents"),

    # Mending.
    Phrase(r"mend(?:s|ed|ing)?", "fix", "it mends the record", "it fixes the record"),
    Phrase(r"(?:sets?|setting|puts?|putting)(?: (?:it|them|this))? right", "fix", "sets it right", "fixes it"),

    # Position.
    Phrase(r"behind (?:it|them|the (?:record|last|first|value|name|end|text|comma|quote|number|header|option)|an?)",
           "after", "text behind the record", "text after the record"),
    Phrase(r"stands? (?:for|in|there|at|on|before|after|behind|between|alone)", "be; represent",
           "the name stands in the header", "the name is in the header"),
    Phrase(r"(?:stood|standing) (?:for|in|there|at|on|before|after|behind|between)", "be; represent",
           "standing in the header", "in the header"),
    Phrase(r"lie[sn]?|lay (?:in|there|beside)", "be", "the file lies beside it", "the file is beside it"),
    Phrase(r"where is what|what is where", "layout", "where is what", "repository layout"),
    Phrase(r"(?:is|are|was|were) (?:there|here) twice", "duplicate", "a field is there twice", "duplicate field"),

    # Quantities.
    Phrase(r"so (?:many|long|much|often)(?! as)", "at most N; up to; N", "publish although so many are rejected",
           "publish if at most N are rejected, so long as it fits"),
    Phrase(r"that (?:many|long)", "N; this number", "that many records", "N records"),
    Phrase(r"(?:one|two|\d+|some) too many", "extra", "value 1 is one too many", "1 extra value"),
    Phrase(r"ever more|more and more", "without bound; increasing", "in ever more ways", "without bound"),
    Phrase(r"how much there is of", "quantity", "how much there is of it", "the quantity"),

    # Negation.
    Phrase(rf"(?:is|are|was|were) no (?:longer an? )?{THINGS}(?! (?:for|to|that|which|in|with|of|here|there|left)\b)",
           "is not a valid X", "5 is no value", "5 is not a valid value, and there is no file",
           unless=r"[Tt]here (?:is|are|was|were) no "),
    Phrase(rf"'?\S+ is no {THINGS} (?:for|of|that)", "is not a valid X", "73 is no limit for this",
           "73 is not a valid limit", unless=r"[Tt]here (?:is|are|was|were) no "),
    Phrase(r"(?:is|are|was|were) none", "is not; there is no", "a file that is none", "nil if there is none",
           unless=r"[Tt]here (?:is|are|was|were) none"),
    Phrase(r"no use (?:trying|\w+ing)", "do not", "it is no use trying again", "do not retry"),
    Phrase(r"without any \w+s?", "without; empty", "a table without any row", "an empty table"),
    Phrase(r"but (?:for|only) (?:the|a|one)", "except", "all but for the name", "all except the name"),
    Phrase(r"other than was expected", "not the expected", "it is other than was expected", "unexpected"),

    # Possession.
    Phrase(r"of (?:yours|mine|theirs|one's own|your own)", "your own; its own",
           "with a description of yours", "with your own description"),
    Phrase(r"one of (?:yours|one's own)", "your own", "write one of yours", "write your own"),
    Phrase(r"thereof|therein|hereby|whereof|wherein|thereby|whereby", "of it; in it; by which", "the value thereof",
           "its value"),

    # Time.
    Phrase(r"all is (?:well|right)", "passed", "all is well after 842 s", "passed in 842 s"),
    Phrase(r"any more", "any longer; no longer", "it is not there any more", "it no longer exists"),
    Phrase(r"as of (?:old|yet)", "so far", "as of yet nothing", "nothing so far"),
    Phrase(r"not yet there", "missing", "it is not yet there", "it is missing"),
    Phrase(r"goes? on|went on|going on", "continue", "the run goes on", "the run continues"),
    Phrase(r"leads? on", "be relative to", "paths lead on from here", "paths are relative to this folder"),

    # Sentences.
    Phrase(r"that which|those which|that what", "use the noun", "that which may pass", "the reject limit"),
    Phrase(r"for that (?:refers|is|would|has)", "because", "left out, for that refers back",
           "skipped: it would create a circular reference"),
    Phrase(r"(?:is|are|was|were) (?:left|passed) (?:out|over)", "skipped; omitted; ignored", "the record is left out",
           "the record is skipped"),
    Phrase(r"(?:may|can|to) be (?:left|passed) (?:out|over)", "optional; ignored", "it may be left out",
           "it is optional"),
    Phrase(r"(?:holds?|held|holding)(?: (?:it|them|the \w+))? against", "compare with; validate against", "holds it against the schema",
           "validates it against the schema"),
    Phrase(r"what (?:may|must|can|cannot) (?:pass|be|have|do|not)",
           "use the noun", "what may pass", "reject limit"),
    Phrase(r"(?:is|are) called so", "match this name", "which parts are called so", "which parts match this name"),
    Phrase(r"capital and small letters", "case", "without capital and small letters", "names that differ in case"),
    Phrase(r"of (?:the )?one (?:kind )?and the same", "the same", "of one and the same table", "of the same table"),
    Phrase(r"(?:is|are) not alike", "differ", "the files are not alike", "the files differ"),
    Phrase(r"the like", "similar; name them", "commas and the like", "commas and similar characters"),
    Phrase(r"moreover|besides(?=,)", "also", "Moreover, it is fast", "It is also fast"),
    Phrase(r"apiece", "each", "10 rows apiece", "10 rows each"),
    Phrase(r"room on (?:the|a|its) (?:disk|drive)", "free space", "room on the disk", "free disk space"),
    Phrase(r"by and by|bit by bit|piece by piece", "gradually; in parts", "read bit by bit", "read in parts"),
    Phrase(r"misspelt|spelt|learnt|burnt", "misspelled, spelled, learned", "a misspelt name", "a misspelled name"),
]

# British and American spelling.
SPELLINGS = """
catalogue catalog, catalogues catalogs, catalogued cataloged, colour color, colours colors, coloured colored, grey gray,
behaviour behavior, behaviours behaviors, licence license, licences licenses, cancelled canceled, cancelling canceling,
favour favor, favourite favorite, honour honor, honours honors, honoured honored, neighbour neighbor,
neighbours neighbors, neighbouring neighboring, centre center, centres centers, metre meter, defence defense,
analyse analyze, analysed analyzed, normalise normalize, normalised normalized, recognise recognize,
recognised recognized, recognises recognizes, organise organize, organised organized, initialise initialize,
initialised initialized, serialise serialize, serialised serialized, summarise summarize, summarised summarized,
optimise optimize, optimised optimized, optimiser optimizer, minimise minimize, capitalised capitalized,
synchronise synchronize, customise customize, realise realize, labelled labeled, labelling labeling,
modelled modeled, travelled traveled, whilst while, amongst among, judgement judgment, programme program,
artefact artifact, artefacts artifacts, towards toward
"""
PHRASES += [Phrase(british, american, british, american)
            for british, american in (pair.split() for pair in SPELLINGS.split(",") if pair.strip())]

# Lines that may have a phrase: a pattern of "path: line", and the reason. At most 20.
ALLOWED = [
    (r".*/Migrations\.md: .*\bcolours\b.*", "a name misspelled on purpose: the step must fail"),
    (r".*/ResultCode\.swift: .*\bNOTICE\b.*", "SQLite's name of a result code"),
    (r"Packaging/debian/copyright: .*\bhereby\b.*", "the text of a license"),
    (r".*/Cookbook\.md: .*\bControl Centre\b.*", "the name of a set"),
    (r"Packaging/download-dumps: .*\b[Dd]umps?\b.*", "it downloads Rebrickable's dumps and nothing else"),
]
