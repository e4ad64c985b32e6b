/* Kinds of names, one function each; what is told by wording is a table of patterns. */
#include "extract/extract.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <assert.h>
#include <pcre2.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/map.h"
#include "extract/code.h"
#include "extract/errors.h"
#include "extract/internal.h"
#include "extract/pairs.h"
#include "extract/spelling.h"

const struct extract_kind extract_kinds[EXTRACT_WHATS] = {
    [EXTRACT_APIS] = {"apis", "functions, layers and operators that code calls", false},
    [EXTRACT_ERRORS] = {"errors", "errors with their messages, without numbers", false},
    [EXTRACT_VERSIONS] = {"versions", "versions, and of what they are", false},
    [EXTRACT_MISFITS] = {"misfits", "two versions that are said not to fit", true},
    [EXTRACT_SETTINGS] = {"settings", "hyperparameters with their values", false},
    [EXTRACT_HARDWARE] = {"hardware", "processors, graphics cards, boards", false},
    [EXTRACT_SYSTEMS] = {"systems", "operating systems", false},
    [EXTRACT_DEMAND] = {"demand", "what is said to be missing or not supported", false},
    [EXTRACT_CONFUSED] = {"confused", "calls that accepted answers replace by another",
                          true},
    [EXTRACT_CHANGES] = {"changes", "settings that accepted answers change", true},
    [EXTRACT_RULES] = {"rules", "calls that go together, in their order, in answers",
                       true},
};

/* In the place of a name, where a text says that something is missing, but not what. */
#define NAMELESS "(not named)"

bool extract_nameless(struct str name)
{
    return str_eq(name, STR(NAMELESS));
}

/* Patterns. The first group that matched is the name, with `as` before it; without
 * groups `as` is the name. */
enum where { IN_TITLE = 1, IN_PROSE = 2, IN_CODE = 4, IN_TEXT = 3, ANYWHERE = 7 };

struct pattern {
    enum extract_what what;
    enum where where;
    const char *regex, *as;
};

#define OPS "(?:ops?|operations?|operators?|layers?|kernels?|nodes?)"
/* What a name is said to be: "the Lambda layer". */
#define KIND \
    "(?:ops?|operations?|operators?|layers?|kernels?|functions?|activations?|methods?|" \
    "loss|optimi[sz]ers?|cells?|modules?|class(?:es)?)"
#define NAME "([A-Za-z_][\\w.:]*\\w)"
/* A name as only code has it: with dots, underscores, digits or capitals inside, or of
 * capitals alone. */
#define CODED \
    "(?-i:\\b(?:(?:[A-Za-z_]\\w*\\.)+[A-Za-z]\\w+|[A-Za-z]\\w*_\\w+|[a-z]+\\d\\w*|[A-Z]" \
    "[a-z]+[A-Z0-9]\\w*|[a-z]+[A-Z]\\w+|[A-Z]{3,}\\d*(?![\\w.]))(?:\\(\\))?)"
#define AND           "(?:,? (?:and|or|&) |, ?)"
#define OPERATOR      "(" CODED ")"
#define OPERATORS     "(" CODED "(?:" AND CODED ")*)"
#define LIST_OF_NAMES "([A-Za-z_][\\w.:]*\\w(?:'?" AND "'?[A-Za-z_][\\w.:]*\\w)*)"
/* A word that may be a name where the word behind it says of what. */
#define WORD \
    "(?!(?:an?|the|any|some|this|that|th[eo]se|such|other|another|my|our|your|its|" \
    "their|" \
    "custom|new|no|each|every|all|same|following|existing|corresponding|equivalent|" \
    "direct|native|built|in|official|proper|good|simple|easy|single|similar|specific|" \
    "certain|more|extra|additional|hidden|input|output|first|last|next|own|default|" \
    "standard|one|two|many|few|of|for|is|are|was|to|and|or|with|by|it|which|where|" \
    "needed|required|used|missing|unsupported|of|kind|type|sort|further|longer|problem)" \
    "\\b)" \
    "([A-Za-z_][\\w.]*\\w)"
/* What may stand between "no" and what is lacking. */
#define SUCH \
    "(?:(?:an?|any|the|such|built-?in|native|direct|official|default|existing|" \
    "corresponding|equivalent|standard) ){0,3}"
/* What a call of one's own lacks is no demand: "the argument axis1 is missing in my
 * call". */
#define NOT_GIVEN \
    "(?<!argument )(?<!arguments )(?<!parameter )(?<!parameters )(?<!variable )" \
    "(?<!column )(?<!key )(?<!field )(?<!value )(?<!keyword )(?<!option )" \
    "(?<!argument [`'\"])(?<!parameter [`'\"])(?<!variable [`'\"])" \
    "(?<!column [`'\"])(?<!key [`'\"])(?<!field [`'\"])"
#define NOT_THERE \
    "(?:(?:is|are|was|were|has|have)(?: still| currently)? not(?: yet| currently| " \
    "been| " \
    "being)*|(?:is|are|was|were|has|have)n't(?: yet| currently| been)*) " \
    "(?:supported|implemented|available|registered|included)(?! (?:outside|without|" \
    "unless|when|until|if)\\b)"

/* What stands between a product and its version: "version (if compiled): v". */
#define BETWEEN \
    "(?:\\s*(?:==|>=|<=|~=|=|:|-|@|version|ver\\.?|v\\.?|is|branch|release|\\([^)\\n]{" \
    "0," \
    "40}\\)))*\\s*[vr]?"
#define NUMBER \
    "(\\d+(?:\\.\\d+){1,3}(?:[.-]?(?:rc|alpha|beta|a|b|dev|tf|nightly)\\d*)?)\\b"
/* A number without a point, in prose alone. */
#define WHOLE "(?: version)?[ -]?[vr]?(\\d{1,2})(?![\\d.]*\\d|\\w)"

/* A version where the sentence says that it is one: "2", "3.x", "newer than 3.6". */
#define FITTING \
    "(?:versions? )?((?:(?:newer|older|later|higher|lower|greater) than (?:version " \
    ")?v?)?" \
    "\\d+(?:\\.\\d+){0,3}(?:\\.[x*])?(?:[.-]?(?:rc|alpha|beta|a|b|dev)\\d*)?)(?![\\w%])" \
    "(?![ -]" \
    "?(?:bits?|times|days?|hours?|minutes?|years?|months?|GB|MB)\\b)"

static const struct pattern patterns[] = {
    /* Errors of tools that lack something say so in their own words. */
    {EXTRACT_DEMAND, ANYWHERE, "No OpKernel was regist(?:e?)red to\\s+support Op '?" NAME,
     ""},
    {EXTRACT_DEMAND, ANYWHERE, "Op type not registered:?\\s+[^A-Za-z_]*" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "Converting unsupported operation: " NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b(?:unknown|unsupported|unrecognized|unimplemented) (?:tensorflow |onnx "
     ")?(?:layer(?: type)?|op|operation|operator)s?(?: of type)?: ?'?" LIST_OF_NAMES,
     ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b(?:unsupported|unimplemented) (?:op|operation|operator|layer) '?" OPERATOR, ""},
    {EXTRACT_DEMAND, ANYWHERE, "for unknown op: '?" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "unknown activation function: ?'?" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "find custom op for name '?" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "Cannot convert \\w+ layer of type '?" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "(?:layer|operator|transformer) '(?:<?class '+)?" NAME
     "[^'\\n]{0,3}'?[^'\\n]{0,3}'? not supported",
     ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "Unsupported option '[^'\\n]*' for the parameter '[^'\\n]*' in layer '[^'\\n]*' of "
     "type '" NAME,
     ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "No translator registered for layer: name: \"\\w*\"\\W+(?:n|\\s)*type: \"" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "(?:need custom implementations|need(?:ed)? by the flex delegate|flex ops|custom "
     "ops): " LIST_OF_NAMES,
     ""},
    {EXTRACT_DEMAND, ANYWHERE, "Op is not supported: '?" NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "unsupported ops? (?:in the model|found): '?" LIST_OF_NAMES, ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b" OPS
     " (?:in the model |used )?(?:is|are) not supported[^.:\\n]{0,40}: '?" LIST_OF_NAMES,
     ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "Exporting the operator '?" NAME "'? to ONNX[^.\\n]{0,30} is not supported", ""},
    {EXTRACT_DEMAND, ANYWHERE, "'" NAME "' op is neither a custom op nor a flex op", ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "No gradient defined for operation '[^'\\n]*' \\(op type: " NAME, ""},
    {EXTRACT_DEMAND, ANYWHERE, "Could not run '" NAME "' with arguments from the", ""},
    {EXTRACT_DEMAND, ANYWHERE, "(?:\"|')" NAME "(?:\"|') not implemented for '", ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "No (?:conversion function|converter|lowering) (?:is )?registered for "
     "(?:layer|op|operator):? '?" NAME,
     ""},
    {EXTRACT_DEMAND, ANYWHERE,
     "Could not find an implementation for (?:the node |op )?'?" NAME, ""},
    {EXTRACT_DEMAND, IN_CODE,
     "(?:NotImplemented|Runtime)Error: '?(?!(?:this|that|it|the|an?) )" NAME
     "'? is not implemented",
     ""},
    /* People. */
    {EXTRACT_DEMAND, IN_TITLE, "\\bIs " OPERATOR " supported", ""},
    {EXTRACT_DEMAND, IN_TITLE, "\\bdo(?:es)? [\\w. ]{2,30} support (?:the )?" OPERATOR,
     ""},
    {EXTRACT_DEMAND, IN_TITLE,
     OPERATORS "(?: " KIND
               ")?,? (?:is |are )?not (?:yet )?(?:supported|implemented|available)",
     ""},
    {EXTRACT_DEMAND, IN_TEXT, OPERATORS "(?: " KIND ")?,? (?:which )?" NOT_THERE, ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b" WORD " (?:layer|op|operation|operator|activation|kernel)s? " NOT_THERE, ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b(?:op|operation|operator|layer) (?-i:([A-Z]\\w+)) " NOT_THERE, ""},
    {EXTRACT_DEMAND, IN_TEXT,
     NOT_GIVEN OPERATORS
     "(?: " KIND
     ")? (?:(?:is|are|was|were|seems?(?: to be)?) missing|(?:does not|doesn't|do "
     "not|don't) exist|(?:was|were|has been|is) removed) (?:in|from|on|for)\\b"
     "(?! (?:my|our|your|the|this|that) (?:calls?|code|scripts?|arguments?|lists?|"
     "dict\\w*|files?|request|query|url|json)\\b)",
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b" WORD " (?:layer|op|operation|operator|activation|kernel)s? "
     "(?:is|are|was|were|seems?(?: to be)?) missing\\b",
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b(?:op|operation|operator|layer) (?-i:([A-Z]\\w+)) is missing\\b", ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b(?:there(?: is|'s| are| was)|(?:has|have|with)|(?:does not|doesn't|do "
     "not|don't) have) (?:still |currently )?(?:no|not an?|an?|any) " SUCH WORD
     " (?:layer|op|operation|operator|activation|kernel)s? "
     "(?:in|for|on|available|implemented|built|yet)\\b",
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\bthere(?:(?: is| are| was|'s) no| (?:is|was)n't any) (?:such thing as "
     ")?" OPERATORS " (?:in|for|on)\\b",
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b(?:no|not an?|isn't an?y?|without an?) (?:\\w+ )?implementations? "
     "(?:of|for) " SUCH WORD,
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\bI (?:really |do |just )?wish (?:that )?there (?:was|were) (?:an? |some |such "
     "(?:an? )?)?[`'\"]?" OPERATOR,
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\black(?:s|ing)? (?:of )?(?:support (?:of|for) )?(?:the |an? )?" OPERATORS, ""},
    {EXTRACT_DEMAND, IN_TEXT, "\\bno support (?:of|for) (?:the |an? )?" OPERATORS, ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\bI (?:can't|cannot|can not|couldn't|could not) find (?:the |any |an? "
     ")?(?:function "
     "|method |layer |op )?" OPERATOR " in\\b",
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "(?:does not|doesn't|do not|don't|not|cannot|can't) support (?:the |an? |any |using "
     ")?[`'\"]?" OPERATORS,
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     OPERATOR ",? (?:because it|which \\w+|it) (?:is |does |do )?not support", ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "(?:alternative|workaround|replacement)s? (?:to|for) (?:the )?(?:using "
     ")?(?-i:([A-Z][a-z]+)) (?:layer|op|operator)\\b",
     ""},
    {EXTRACT_DEMAND, IN_TITLE, OPERATOR " equivalent\\b", ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b(?:equivalents?|counterparts?|alternatives?|analog(?:ue)?s?|replacements?|"
     "substitutes?) (?:of|for|to) (?:the )?(?:\\w+'s )?(?:function |method |layer |op "
     ")?[`'\"]?" OPERATOR,
     ""},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b(?:equivalent|counterpart|alternative|analog(?:ue)?|replacement)s? "
     "(?:of|for|to) (?:the |an? )?" WORD
     " (?:layer|op|operation|operator|function|activation|method)\\b",
     ""},
    /* What is lacking without its name. */
    {EXTRACT_DEMAND, ANYWHERE, "unsupported ops? (?:in the model|found)(?!:)", NAMELESS},
    {EXTRACT_DEMAND, ANYWHERE, "\\bNo ops? registered\\b", NAMELESS},
    {EXTRACT_DEMAND, ANYWHERE, "\\bunsupported " OPS "\\b(?!:)", NAMELESS},
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b" OPS
     "\\s+(?:in the model |used )?(?:is|are|was|were) (?:still |currently )?(?:not "
     "(?:yet |currently )?|un)(?:supported|implemented|registered|available)(?! or not )",
     NAMELESS},
    {EXTRACT_DEMAND, ANYWHERE,
     "\\b" OPS " (?:that|which) (?:is|are) (?:missing|unsupported)", NAMELESS},
    {EXTRACT_DEMAND, IN_TEXT,
     "(?:does not|doesn't|do not|don't|cannot|can't|not) support (?:the |these |those "
     "|this |all |some )?(?:[\\w.]+ ){0,2}" OPS "\\b",
     NAMELESS},
    {EXTRACT_DEMAND, IN_TEXT,
     "\\b" OPS "\\b[^.\\n]{0,30}(?:does not|doesn't|do not|don't) support (?:it|them)\\b",
     NAMELESS},
    {EXTRACT_DEMAND, IN_TEXT,
     "(?:don't|doesn't|do not|does not) have (?:the|these|those|this) " OPS
     " implemented",
     NAMELESS},
    {EXTRACT_DEMAND, IN_TITLE, "\\bcustom (?:\\w+ )?(?:layer|op|operation|operator)s?\\b",
     NAMELESS},
    /* Versions of what is not in the table of products, as package managers write them:
     * the first group is the name, the second the version. */
    {EXTRACT_VERSIONS, ANYWHERE,
     "(?<![\\w./-])([A-Za-z][\\w.-]*[A-Za-z])(?:==|>=|~=)(\\d+(?:\\.\\d+)+\\w*)", ""},
    {EXTRACT_VERSIONS, IN_CODE,
     "['\"](?!com\\.android\\.tools\\.build:gradle:)[\\w.-]+:([\\w.-]+):(\\d+(?:\\.\\d+)+"
     ")[\\w."
     "-]*['\"]",
     ""},
    {EXTRACT_VERSIONS, ANYWHERE,
     "(?m)^[ \\t]*([A-Za-z@][\\w.@/-]{1,40})[ \\t]+(?::[ "
     "\\t]*)?v?(\\d+(?:\\.\\d+){2,}[\\w.-]*)[ "
     "\\t]*$",
     ""},
    {EXTRACT_VERSIONS, IN_CODE,
     "\\b([A-Za-z]\\w*)-(\\d+(?:\\.\\d+)+)[\\w.]*-(?:py|cp)\\d", ""},
    /* Hardware: models are spelled by extract_spell_model(). */
    {EXTRACT_HARDWARE, ANYWHERE, "\\bGTX[ -]?(\\d{3,4}(?:M|[ -]?(?:Ti|Super))?)\\b",
     "GTX "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "(?<!Quadro )\\bRTX[ -]?(A?\\d{4}(?:[ -]?Ti)?(?:[ -]?Super)?)\\b", "RTX "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\b(?:nvidia|geforce)[ -]((?:9[5678]0|10[5678]0|16[56]0)(?:M|[ "
     "-]?(?:Ti|Super))?)\\b",
     "GTX "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\b(?:nvidia|geforce)[ -]((?:20[678]0|30[5678]0|3090|40[6789]0)(?:[ -]?Ti)?(?:[ "
     "-]?Super)?)\\b",
     "RTX "},
    {EXTRACT_HARDWARE, ANYWHERE, "(?<![\\w.-])((?:750|1050|1070|1080|1660)[ -]?Ti)\\b",
     "GTX "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "(?<![\\w.-])((?:2080|3060|3070|3080|3090|4070|4080)[ -]?Ti)\\b", "RTX "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:nvidia|geforce) GT[ -]?(\\d{3,4}MX?)\\b", "GT "},
    {EXTRACT_HARDWARE, ANYWHERE, "(?-i:\\bGT)[ -]?(1030|[4-8][1-4]0M?)\\b", "GT "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\b(?:nvidia|geforce)[ -]((?!9[5678]0M\\b)\\d{3}MX?)\\b", "GeForce "},
    {EXTRACT_HARDWARE, ANYWHERE, "(?-i:\\b(MX[1-4][1-5]0)\\b)", "GeForce "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bTitan[ -]?(X[pP]?|V|RTX|Black|Z)\\b", "Titan "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\b(?:nvidia|geforce|gtx)(?: gtx)? titan\\b(?![ -]?(?:Xp?|V|RTX|Black|Z)\\b)",
     "Titan"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bTesla[ -]?([KPVMTAC]\\d{1,4}[cmx]?)\\b", "Tesla "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\bnvidia[ -](?:tesla[ -])?([KPVMT]\\d{1,3}[cmx]?|[AHL]\\d{1,3})\\b", "Tesla "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(K80|P100|V100|A100|H100|K40[cm]?|M60|M40|P40)\\b",
     "Tesla "},
    {EXTRACT_HARDWARE, ANYWHERE, "(?-i:\\b(T4) (?:GPU|instance|card)s?\\b)", "Tesla "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bQuadro[ -]((?:RTX[ -]?|GP|GV|[KMPT])?\\d{3,4}M?)\\b",
     "Quadro "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\bradeon(?: ((?:pro|rx|hd|r[579]|vega)(?: ?\\w?\\d{2,4}\\w{0,2})?))?\\b",
     "Radeon "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\bintel[^\\w\\n]{0,3}(?:\\(?R\\)? )?(?:(?:integrated )?graphics|(?:u?hd|iris)\\b)",
     "Intel graphics"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\badreno(?:[- (TM)]*(\\d{3}))?\\b", "Adreno "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bmali[- ]?([GT]\\d{2,3})\\b", "Mali-"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bpowervr\\b", "PowerVR"},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\bJetson[- ]((?:AGX[- ])?(?:TX[12]|Nano|Xavier|TK1|Orin)(?:[- ](?:NX|Nano))?)\\b",
     "Jetson "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\b(?:raspberry[ -]?pi|rpi)(?:[ -]?(?:model )?(\\d|zero))?(?![\\d.]*\\.\\d)",
     "Raspberry Pi "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bcoral (?:edge tpu )?dev(?:elopment)? board\\b",
     "Coral Dev Board"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bcoral (?:edge tpu )?usb|\\busb accelerator\\b",
     "Coral USB Accelerator"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:edge|coral) ?tpu\\b", "Edge TPU"},
    {EXTRACT_HARDWARE, ANYWHERE, "(?<!edge )(?<!coral )\\bTPUs?\\b", "TPU"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bsparkfun edge\\b", "SparkFun Edge"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\barduino\\b", "Arduino"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bSTM(32\\w*)\\b", "STM"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bESP(32|8266)\\b", "ESP"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:neural compute stick|ncs) ?(2)?\\b",
     "Neural Compute Stick "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bmovidius\\b", "Movidius"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bFPGAs?\\b", "FPGA"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bzynq\\b", "Zynq"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bbeagle ?bone\\b", "BeagleBone"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bodroid\\b", "ODROID"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bpine64\\b", "Pine64"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\brock(?:pro)?64\\b", "Rock64"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bhikey ?(\\d{3})?\\b", "HiKey "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bhololens ?(2)?\\b", "HoloLens "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:arm-?64(?:-v8a)?|aarch64|armv8)\\b", "ARM64"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:armv7\\w*|armeabi(?:-v7a)?|armhf)\\b", "ARMv7"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\barmv6\\w*\\b", "ARMv6"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bcortex[- ]?([AMR]\\d{1,2})\\b", "Cortex-"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bi([3579])-?\\d{4,5}[A-Z]{0,2}\\b", "Intel Core i"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:intel|core)(?:\\((?:R|TM)\\)|\\s)* i([3579])\\b",
     "Intel Core i"},
    {EXTRACT_HARDWARE, ANYWHERE,
     "(?<![\\w.])i([3579]) (?:cpu|processor|laptop|quad|core)\\b", "Intel Core i"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bxeon\\b", "Xeon"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bceleron\\b", "Celeron"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bpentium\\b", "Pentium"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bintel atom\\b", "Intel Atom"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bcore ?2 ?duo\\b", "Intel Core 2 Duo"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bryzen(?: ([3579]))?\\b", "Ryzen "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bthreadripper\\b", "Threadripper"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bsnapdragon(?: (\\d{3}))?\\b", "Snapdragon "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bhexagon(?: \\d{3})? (?:dsp|nn)\\b", "Hexagon DSP"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bexynos ?(\\d{4})?\\b", "Exynos "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bkirin ?(\\d{3,4})?\\b", "Kirin "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bmediatek\\b", "MediaTek"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:ppc64(?:le|el)?|(?-i:POWER[89]))\\b", "POWER"},
    {EXTRACT_HARDWARE, ANYWHERE, "(?-i:\\b(M[1-4] (?:Pro|Max|Ultra)))\\b", "Apple "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\b(?:apple|i?mac|mac ?book|mac ?mini)(?: (?:pro|air|mini|studio))?,?(?: "
     "(?:with|on|using))?(?: (?:an?|the))?(?: apple)? \\(?(?-i:(M[1-4](?: "
     "(?:Pro|Max|Ultra))?))\\b",
     "Apple "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "(?-i:\\b(M[1-4])\\b(?!\\.))[ "
     "-](?:chips?|cpus?|gpu|processors?|silicon|mac\\w*|imac)\\b",
     "Apple "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bapple silicon\\b", "Apple silicon"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(A\\d{1,2}X?)(?: fusion)? (?:bionic|chip)\\b",
     "Apple "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\b(?:apple )?neural engine\\b", "Neural Engine"},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\biPhone ?(\\d{1,2}(?: ?s)?(?: ?(?:Plus|Pro|Mini|P|\\+))?(?: ?Max)?|X[RS]?(?: "
     "?Max)?|SE)(?!\\w)",
     "iPhone "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\biPad (Pro|Air|Mini)\\b", "iPad "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bapple watch\\b", "Apple Watch"},
    {EXTRACT_HARDWARE, ANYWHERE, "(?-i:\\bNexus (\\d{1,2}[PX]?)\\b)", "Nexus "},
    {EXTRACT_HARDWARE, ANYWHERE, "(?-i:\\bPixel (\\d[a]?(?: ?XL)?)\\b)", "Pixel "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\b(?:galaxy|samsung) ((?:S|Note|A|J|Tab) ?\\d{1,2}(?: "
     "?(?:Plus|Ultra|Edge|\\+))?)(?!\\w)",
     "Galaxy "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bone ?plus ?(\\d[TRX]?)\\b", "OnePlus "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\bhuawei(?: ((?:P|Mate|Nova|Honor|Y) ?\\d{1,2}(?: ?(?:Pro|Lite))?))?\\b",
     "Huawei "},
    {EXTRACT_HARDWARE, ANYWHERE,
     "\\bxiaomi(?: ((?:Redmi|Mi)(?: (?:Note|A|Max|Mix))? ?\\d{1,2}\\w?))?\\b", "Xiaomi "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bxperia\\b", "Xperia"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bmoto ([EGXZ]\\d?)\\b", "Moto "},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bmac ?book(?:[ -]?(pro|air))?\\b", "MacBook "},
    {EXTRACT_HARDWARE, ANYWHERE, "(?-i:\\biMac\\b)", "iMac"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bmac ?mini\\b", "Mac mini"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bthinkpad\\b", "ThinkPad"},
    {EXTRACT_HARDWARE, ANYWHERE, "\\bsurface (pro|book|laptop|go)\\b", "Surface "},
    /* Operating systems. */
    {EXTRACT_SYSTEMS, ANYWHERE,
     "\\bubuntu[- ]?(?:linux )?(?:v|version )?(\\d\\d\\.\\d\\d)", "Ubuntu "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bubuntu\\b(?![- ]?(?:linux )?(?:v|version )?\\d)",
     "Ubuntu"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bwin(?:dows)? ?(10|11|7|8(?:\\.1)?)\\b", "Windows "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bwindows server ((?:19|20)\\d\\d(?: R2)?)\\b",
     "Windows Server "},
    {EXTRACT_SYSTEMS, ANYWHERE,
     "(?-i:\\bWindows\\b(?! ?(?:10|11|7|8|\\.|server (?:19|20)\\d\\d|Server "
     "(?:19|20)\\d\\d|size|of|to|subsystem|Subsystem|and "
     "(?:stride|step))))",
     "Windows"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\b(?:mac ?os ?x?|os ?x)\\b(?: ?v?(1[0-5]\\.\\d+))?",
     "macOS "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bcentos ?-?(\\d(?:\\.\\d)?)?\\b", "CentOS "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bdebian ?(\\d+)?\\b", "Debian "},
    {EXTRACT_SYSTEMS, ANYWHERE,
     "\\bandroid(?: (?:v|version )?((?:1\\d|[2-9])(?:\\.\\d+)*)(?![\\w%]))?\\b",
     "Android "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\balpine(?: linux)?(?: (\\d\\.\\d+))?\\b", "Alpine "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\blinux mint(?: (\\d+))?\\b", "Linux Mint "},
    {EXTRACT_SYSTEMS, ANYWHERE,
     "(?-i:\\b(?:iOS|IOS|ios)(?: ?(?:v|version )?(\\d\\d?(?:\\.\\d+)*))?\\b)", "iOS "},
    {EXTRACT_SYSTEMS, ANYWHERE,
     "(?-i:\\b(?:iPhone|IPhone|iPad)(?: ?\\d\\d?(?:\\.\\d+)*)?\\b)", "iOS"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bfedora(?: ?(?:core |linux )?(\\d+))?\\b", "Fedora "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\braspbian\\b", "Raspbian"},
    {EXTRACT_SYSTEMS, ANYWHERE,
     "\\b(?:red ?hat|rhel)(?:(?: enterprise)?(?: linux)? ?(\\d(?:\\.\\d+)?))?\\b",
     "Red Hat "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\barch linux\\b", "Arch Linux"},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bWSL ?(?:v|version )?([12])?\\b", "WSL "},
    {EXTRACT_SYSTEMS, ANYWHERE, "\\bwindows subsystem for linux ?(2)?\\b", "WSL "},
    {EXTRACT_SYSTEMS, ANYWHERE,
     "(?<!subsystem for )(?<!arch )(?<!alpine )(?<!enterprise )\\blinux\\b(?!_| mint\\b)",
     "Linux"},
};

/* How a sentence says of two versions that they do not fit. */
#define NOT \
    "(?:does not|doesn't|do " \
    "not|don't|not|won't|cannot|can't|didn't|isn't|aren't|wasn't)"

static const char *const not_fitting =
    "\\b(?:incompatib\\w+|mismatch\\w*|conflicts?|unsupported|is a bug|breaks?|(?:is|are|"
    "was|were|got) broken|"
    "(?:not|isn't) (?:yet |fully )?compatible|" NOT
    " (?:yet |currently |officially |actually |seem to (?:be )?|been |be "
    ")*(?:work|support|"
    "run|fit|match|ready|install|available|built|tested|understand|meant)\\w*|"
    "(?:does not|doesn't|do not|don't) have(?! (?:to|any))|"
    "no longer (?:supported|works?|available)|"
    "needs? to be (?:updated|ported|upgraded)|"
    "(?:no|lacks?|dropp?\\w*|without|removed) (?:official )?support (?:for|of|in)|"
    "(?:but|and|just) not (?:with|on|in|for|under)|"
    "fail(?:s|ed)? to \\w+|(?:fail(?:s|ing)?|crash(?:es|ing)?) (?:with|on|in|under|when "
    "using)|too (?:old|new|recent) for)\\b";

/* How it says that only one version fits. */
static const char *const only_fitting =
    "\\b(?:requires?|required|has requirement|minimum (?:requirement|version) (?:of|for|"
    "is)|needs?(?! to be)|expects?|depends? on|must be|(?:has|have) to be|(?:up|down)grad"
    "\\w+|"
    "(?:only|just) (?:works?|supports?|supported|available|compatible|runs?|exists?|"
    "tested)|(?:works?|supports?|supported|available|compatible|runs?|tested) only|"
    "(?:is|was|are|were|been) (?:built|compiled|linked|prebuilt|made) "
    "(?:for|with|against|"
    "on|using)|"
    "(?:works?|supported|available|introduced|added|supports?|shipped|compatible) "
    "(?:only "
    ")?(?:since|from|as of|starting (?:with|from|in)|up to|until|through))\\b";

/* What stands before a version that is the last one that does not fit. */
static const char *const more_than = "\\b(?:more|newer|later|higher|greater) than\\b";

/* What stands before a version that is the last one that fits. */
static const char *const no_more_than =
    "\\b(?:up to|until|through|below|at most|downgrad\\w+|less than|older than)\\b|<=?";

/* What stands behind a version or before it, where others fit as well. */
static const char *const or_later =
    "^(?:\\+| ?(?:or|and) (?:later|newer|higher|above|greater|up))|>=|^,? ?(?:at least|"
    "minimum)|\\b(?:since|from|as of|starting|at least|minimum|min|upgrad\\w+)\\b";

/* A version behind a name that stands without it. */
static const char *const to_version =
    "^(?:,? (?:version|from [vr]?\\d[\\w.]*|back|down|up))* ?(?:to|=|>=|<=?) ?(?:the "
    ")?(?:version )?[vr]?(\\d+(?:\\.\\d+){0,3}(?:\\.[x*])?)(?![\\w%])";

/* Between what is wanted and by what. */
static const char *const wanted_by =
    "\\b(?:for|to (?:run|use|work|install|build|compile|get|make|match|support)(?: "
    "with)?|when using|with|by|on|because|since|as|if you (?:use|have|want))(?: "
    "(?:the|of|my|your|an?))* *$";

/* Between two that are said to be used together. */
static const char *const joined =
    "^(?:[\\s,/"
    "+&]|and|with|on|under|in|using|for|plus|the|an?|my|of|to|between|versions?|"
    "running|installed)*$";

/* Cues that stand before both. */
static const char *const mismatch = "^(?:mismatch|conflict|incompatib|unsupported)";

/* How questions begin that ask whether something fits. */
static const char *const whether = "^(?:\\W*(?:so|and|but|also|then|or)?\\W*)(?:is|are|"
                                   "does|do|can|could|will|would|should|"
                                   "has|have|which|what|how|was|were)\\b";

/* What stands for what the sentence before spoke of. */
static const char *const pronoun = "\\b(?:it|they|this|that|these|which)\\b";

/* Between names of a list. */
static const char *const listed = "'?" AND "'?";

/* What looks like an operator and is none. */
static const char *const no_operator =
    "^(?:[GCTNX]PUs?|APIs?|JSON|HTTPS?|REST|SSL|TLS|AVX\\d?|SSE[\\d_]*|URLs?|CORS|CSV|"
    "PNG|"
    "JPE?G|GIF|PDF|XML|HTML|IDE|SDKs?|USB|RAM|AWS|GCP|GCE|DNS|TCP|UDP|SSH|FTP|ONNX|NaN|"
    "LLVM|MKL|SIMD|FPGA|e\\.g|i\\.e|a\\.k\\.a|macOS|MacOS|OSX|x86_64|x64|x86|arm64|"
    "GitHub|YouTube|StackOverflow|JavaScript|TypeScript|NumPy|MacBook|iPhone\\w*|iPad\\w*"
    "|"
    "NVIDIA|AMD|IBM|ARM|MIT|NOT|AND|ALL|THE|THIS|EDIT|UPDATE|ERROR|WARNING|INFO|NOTE)$|"
    "\\.(?:py|pyc|h5|hdf5|pb|tflite|js|json|txt|pbtxt|csv|jpe?g|png|gif|mlmodel|cc?|cpp|"
    "h|"
    "so|dll|java|html?|md|onnx|com|org|io|net|exe|zip|bin|sh|bat|yaml|yml|xml|gz|whl)$";

/* How answers say that one call should stand for another, with both names. */
#define CALLED      "[`'\"]?\\.?([A-Za-z_]\\w*(?:[.#]\\w+)*)(?:\\([^()\\n]{0,60}\\))?[`'\"]?"
#define CALLED_KIND "(?: (?:operator|function|method|layer|class|call|module|op|api)s?)?"
#define ARTICLE \
    "(?:(?:the|an?|your|my|all|using|calling|to|use|call|directly|plain|out|out of) )*"

static const struct {
    const char *regex;
    bool old_first;
} instead[] = {
    {"\\b" CALLED CALLED_KIND
     ",? (?:instead of|rather than|in place of|and not|not) " ARTICLE CALLED,
     false},
    {"\\binstead of " ARTICLE CALLED CALLED_KIND ",? "
     "(?:(?:you|we|I|should|can|could|need|have|must|may|might|just|simply|try|to|'ll) )*"
     "(?:use|using|used|call|calling|write|do|with) " ARTICLE CALLED,
     true},
    {"\\b(?:replac|chang|swap|switch|convert)\\w* " ARTICLE
     "(?:from )?" CALLED CALLED_KIND
     "(?: (?:in|of|from) (?:your|the|my|this)(?: \\w+){1,2})? "
     "(?:with|by|to|into|for) " ARTICLE CALLED,
     true},
    {"\\b" CALLED CALLED_KIND
     " (?:has been|have been|was|is|were|are|got)(?: now)? (?:renamed|replaced|moved|"
     "superseded|changed)(?: to| by| with| into| as)+ " ARTICLE CALLED,
     true},
    {"\\b" CALLED CALLED_KIND
     " (?:has been|is|was|are)(?: now)? (?:deprecated|removed|obsolete|gone)[^.\\n]{0,40}"
     "\\b(?:use|using|in favou?r of) " ARTICLE CALLED,
     true},
    {"\\b" CALLED CALLED_KIND " should (?:actually |really )?be " ARTICLE CALLED, true},
};

/* How answers say what to call, without what it stands for. */
static const char *const advice =
    "\\b(?:use|using|try|need|want|looking "
    "for|after|with|call|calling|recommend) " ARTICLE CALLED;

/* Settings that answers tell to change, without code. */
#define SETTING \
    "(learning[- _]?rate|lr|batch[- _]?size|epochs|dropout(?:[- _]rate)?|momentum|" \
    "weight[- _]decay|hidden[- _](?:units|size)|kernel[- _]size|steps[- _]per[- " \
    "_]epoch|" \
    "num[- _]steps|n_estimators|max_depth|validation_split)\\b"
#define OF_SETTING "(?:(?:the|your|my|our|a|an|number|of|initial|default|value) )*[`'\"]?"

static const struct {
    const char *regex, *as;
} advised[] = {
    {"\\b(?:increas(?:e|ing)|rais(?:e|ing)|enlarg(?:e|ing)) " OF_SETTING SETTING,
     "raised"},
    {"\\b(?:try|use|using|need|set|with) (?:a|an|some) (?:much |far |slightly "
     ")?(?:larger|higher|bigger|greater) " OF_SETTING SETTING,
     "raised"},
    {"\\b(?:decreas(?:e|ing)|reduc(?:e|ing)|lower(?:ing)?) " OF_SETTING SETTING,
     "lowered"},
    {"\\b(?:try|use|using|need|set|with) (?:a|an|some) (?:much |far |slightly "
     ")?(?:smaller|lower) " OF_SETTING SETTING,
     "lowered"},
};

/* What has versions, by all its spellings. */
struct product {
    const char *regex, *name;
    bool whole; /* a number without a point is one, too */
};

static const struct product products[] = {
    {"(?:tensorflow|tf)(?:[-_ ](?:gpu|cpu|library))?", "TensorFlow", false},
    {"(?:tensorflow|tf)[-_ ]?serving(?:[-_ ]apis?)?|tensorflow[-_ ]?model[-_ ]?server",
     "TensorFlow Serving", false},
    {"(?:tensorflow|tf)[-_ ]?lite", "TensorFlow Lite", false},
    {"(?:tfjs|tensorflow[.-]?js)", "TensorFlow.js", false},
    {"keras", "Keras", false},
    {"(?:py)?torch", "PyTorch", false},
    {"theano", "Theano", false},
    {"caffe", "Caffe", false},
    {"mxnet", "MXNet", false},
    {"cuda(?:[- ]?toolkit)?", "CUDA", true},
    {"cudnn", "cuDNN", true},
    {"tensorrt", "TensorRT", true},
    {"python", "Python", true},
    {"numpy", "NumPy", false},
    {"scipy", "SciPy", false},
    {"pandas", "pandas", false},
    {"h5py", "h5py", false},
    {"opencv", "OpenCV", false},
    {"(?:sklearn|scikit-learn)", "scikit-learn", false},
    {"xgboost", "XGBoost", false},
    {"protobuf|protoc", "protobuf", false},
    {"grpc(?:io)?", "gRPC", false},
    {"bazel", "Bazel", false},
    {"(?:gcc|g\\+\\+)", "GCC", false},
    {"clang", "Clang", false},
    {"cmake", "CMake", false},
    {"coremltools|core ml tools", "coremltools", false},
    {"core ?ml", "Core ML", true},
    {"tf-?coreml", "tfcoreml", false},
    {"create ?ml", "Create ML", false},
    {"turi ?create", "Turi Create", false},
    {"onnx", "ONNX", false},
    {"openmpi", "OpenMPI", false},
    {"xcode", "Xcode", true},
    {"swift", "Swift", true},
    {"android ?studio", "Android Studio", false},
    {"(?:android )?gradle plugin|com\\.android\\.tools\\.build:gradle",
     "Android Gradle plugin", false},
    {"gradle", "Gradle", false},
    {"(?:compile|min|target)sdk(?:version)?|android sdk", "Android SDK", true},
    {"(?:android )?ndk", "Android NDK", true},
    {"kotlin", "Kotlin", false},
    {"flutter", "Flutter", false},
    {"java", "Java", true},
    {"node(?:\\.?js)?", "Node.js", true},
    {"npm", "npm", false},
    {"angular", "Angular", true},
    {"react", "React", false},
    {"ionic", "Ionic", true},
    {"chrome", "Chrome", false},
    {"django", "Django", false},
    {"flask", "Flask", false},
    {"docker", "Docker", false},
    {"pip(?!3? (?:install|show|list|uninstall))", "pip", false},
    {"anaconda|conda", "Anaconda", false},
    {"spark", "Spark", false},
    {"scala", "Scala", false},
    {"glibc", "glibc", false},
    {"nnapi", "NNAPI", false},
    {"rxjs", "RxJS", true},
    {"typescript", "TypeScript", false},
    {"angular[- ]?cli", "Angular CLI", false},
    {"(?:tensorflow |tf )?object[- ]detection api", "Object Detection API", false},
    {"(?:google )?(?:cloud ?ml|cloud machine learning|ml|ai)[- ](?:engine|platform)|gcp",
     "Google Cloud ML", false},
    {"sagemaker", "SageMaker", false},
    {"tfx", "TFX", false},
    {"visual studio(?! code)|msvc", "Visual Studio", true},
    {"(?:nvidia )?jetpack", "JetPack", false},
    {"(?:nvidia|gpu) drivers?", "NVIDIA driver", true},
    {"tf(?:lite|-lite|_lite)[-_ ]runtime", "TensorFlow Lite runtime", false},
    {"ios", "iOS", true},
    {"(?<!tensorflow-)android(?! (?:studio|sdk|ndk|gradle))", "Android", true},
    {"ubuntu", "Ubuntu", true},
    {"windows(?! size)", "Windows", true},
    {"mac ?os ?x?|os ?x", "macOS", true},
};

/* What may be a product that no table has, and its version; what code of Python imports.
 */
static const char *const any_version =
    "(?<![\\w./@-])([a-z][\\w+#]*(?:[.-][a-z][\\w+#]*){0,3})" BETWEEN NUMBER;
static const char *const imported =
    "(?m)^(?:>>> |In \\[\\d+\\]: )?[ \\t]*(?:import|from) ([a-z]\\w*)";

enum { NOT_SYSTEMS = ROWS_OF(products) - 5 }; /* which have an extract of their own */

struct extract_reader {
    struct arena arena; /* holds the struct itself */
    pcre2_code *compiled[ROWS_OF(patterns)];
    /* Of each product: its versions, versions without a point, versions as sentences on
     * what fits have them, its name alone. */
    pcre2_code *versions[ROWS_OF(products)], *wholes[ROWS_OF(products)],
        *fitting[ROWS_OF(products)], *names_of[ROWS_OF(products)];
    pcre2_code *instead[ROWS_OF(instead)], *advised[ROWS_OF(advised)], *advice;
    pcre2_code *not_fitting, *only_fitting, *or_later, *more_than, *no_more_than,
        *pronoun, *to_version, *wanted_by, *joined, *mismatch, *whether, *listed,
        *no_operator, *any_version, *imported;
    pcre2_match_data *data;
    pcre2_match_context *context;
    struct buf scratch, name, lower;
    struct map tags; /* of the corpus */
    struct map seen; /* names that were told of the item in work */
    struct arena names;
    extract_take *take;
    void *taker;
    bool asked;
};

enum { STEPS_MAX = 200 * 1000, RULES_REACH = 4, NAMES_MAX = 300 };

/* The tables are ours: they compile. */
static pcre2_code *compile(const char *regex)
{
    PCRE2_SIZE at;
    int code;
    pcre2_code *compiled = pcre2_compile(
        (PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED,
        PCRE2_CASELESS | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &at, NULL);

    assert(compiled != NULL);
    pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
    return compiled;
}

static pcre2_code *compile_product(const struct product *product, const char *behind,
                                   struct arena *arena)
{
    struct str regex = arena_format(arena, "\\b(?:%s)%s", product->regex, behind);

    return compile(arena_c_string(arena, regex));
}

struct extract_reader *extract_open(void)
{
    struct arena arena = {0};
    struct extract_reader *reader = arena_array(&arena, struct extract_reader, 1);

    for (size_t i = 0; i < ROWS_OF(patterns); i++)
        reader->compiled[i] = compile(patterns[i].regex);
    for (size_t i = 0; i < ROWS_OF(products); i++) {
        reader->versions[i] = compile_product(&products[i], BETWEEN NUMBER, &arena);
        reader->wholes[i] = compile_product(&products[i], WHOLE, &arena);
        reader->fitting[i] = compile_product(&products[i], BETWEEN FITTING, &arena);
        reader->names_of[i] = compile_product(&products[i], "(?![\\w/-]|\\.\\w)", &arena);
    }
    for (size_t i = 0; i < ROWS_OF(instead); i++)
        reader->instead[i] = compile(instead[i].regex);
    for (size_t i = 0; i < ROWS_OF(advised); i++)
        reader->advised[i] = compile(advised[i].regex);
    reader->not_fitting = compile(not_fitting);
    reader->only_fitting = compile(only_fitting);
    reader->or_later = compile(or_later);
    reader->more_than = compile(more_than);
    reader->no_more_than = compile(no_more_than);
    reader->pronoun = compile(pronoun);
    reader->advice = compile(advice);
    reader->mismatch = compile(mismatch);
    reader->joined = compile(joined);
    reader->whether = compile(whether);
    reader->wanted_by = compile(wanted_by);
    reader->to_version = compile(to_version);
    reader->listed = compile(listed);
    reader->no_operator = compile(no_operator);
    reader->any_version = compile(any_version);
    reader->imported = compile(imported);
    reader->data = pcre2_match_data_create(4, NULL);
    reader->context = pcre2_match_context_create(NULL);
    pcre2_set_match_limit(reader->context, STEPS_MAX);
    reader->arena = arena;
    reader->tags.arena = &reader->arena;
    return reader;
}

void extract_close(struct extract_reader *reader)
{
    if (reader == NULL)
        return;
    struct arena arena = reader->arena;
    for (size_t i = 0; i < ROWS_OF(patterns); i++)
        pcre2_code_free(reader->compiled[i]);
    for (size_t i = 0; i < ROWS_OF(products); i++) {
        pcre2_code_free(reader->versions[i]);
        pcre2_code_free(reader->wholes[i]);
        pcre2_code_free(reader->fitting[i]);
        pcre2_code_free(reader->names_of[i]);
    }
    for (size_t i = 0; i < ROWS_OF(instead); i++)
        pcre2_code_free(reader->instead[i]);
    for (size_t i = 0; i < ROWS_OF(advised); i++)
        pcre2_code_free(reader->advised[i]);
    pcre2_code_free(reader->not_fitting);
    pcre2_code_free(reader->only_fitting);
    pcre2_code_free(reader->or_later);
    pcre2_code_free(reader->more_than);
    pcre2_code_free(reader->no_more_than);
    pcre2_code_free(reader->pronoun);
    pcre2_code_free(reader->advice);
    pcre2_code_free(reader->mismatch);
    pcre2_code_free(reader->joined);
    pcre2_code_free(reader->whether);
    pcre2_code_free(reader->wanted_by);
    pcre2_code_free(reader->to_version);
    pcre2_code_free(reader->listed);
    pcre2_code_free(reader->no_operator);
    pcre2_code_free(reader->any_version);
    pcre2_code_free(reader->imported);
    pcre2_match_data_free(reader->data);
    pcre2_match_context_free(reader->context);
    buf_free(&reader->scratch);
    buf_free(&reader->name);
    buf_free(&reader->lower);
    arena_free(&reader->names);
    arena_free(&arena);
}

/* Each name of an item once; the same as question and as answer are two. */
static void give(struct extract_reader *reader, struct str name)
{
    name = str_trim(name);
    if (name.len == 0 || name.len > 2 * EXTRACT_MESSAGE_MAX)
        return;
    struct str key =
        arena_format(&reader->names, "%c%.*s", reader->asked ? '?' : '!', STR_ARG(name));
    int64_t *seen = map_put(&reader->seen, key);
    if (*seen == 0)
        reader->take(reader->taker, name, reader->asked);
    *seen = 1;
}

struct matched {
    size_t begin, end;
    struct str groups[2]; /* those that matched; the others are empty */
};

/* The next match from *at on. */
static bool match(struct extract_reader *reader, const pcre2_code *pattern,
                  struct str text, size_t *at, struct matched *out)
{
    if (*at >= text.len)
        return false;
    int count = pcre2_match(pattern, (PCRE2_SPTR)text.ptr, text.len, *at, 0, reader->data,
                            reader->context);
    if (count < 1)
        return false;
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(reader->data);
    *out = (struct matched){.begin = found[0], .end = found[1]};
    for (int g = 1; g < count && g <= (int)ROWS_OF(out->groups); g++)
        if (found[2 * g] != PCRE2_UNSET)
            out->groups[g - 1] = str_slice(text, found[2 * g], found[2 * g + 1]);
    *at = found[1] > *at ? found[1] : *at + 1;
    return true;
}

static bool matches(struct extract_reader *reader, const pcre2_code *pattern,
                    struct str text)
{
    struct matched matched;
    size_t at = 0;

    return match(reader, pattern, text, &at, &matched);
}

/* A name of packages that the table of products spells in its own way. */
static bool is_product(struct extract_reader *reader, struct str name)
{
    for (size_t i = 0; i < ROWS_OF(products); i++)
        if (matches(reader, reader->versions[i], name))
            return true;
    return false;
}

/* A product as a whole is no operator that it lacks. */
static bool names_product(struct extract_reader *reader, struct str name)
{
    for (size_t i = 0; i < ROWS_OF(products); i++) {
        struct matched matched;
        size_t at = 0;
        if (match(reader, reader->names_of[i], name, &at, &matched) &&
            matched.begin == 0 && matched.end == name.len)
            return true;
    }
    return false;
}

/* What is written like a name of code and is none: a file, a format, an abbreviation. */
static bool is_lacking(struct extract_reader *reader, struct str name)
{
    struct str bare = name;

    while (bare.len > 0 &&
           (extract_is_digit(bare.ptr[bare.len - 1]) || bare.ptr[bare.len - 1] == '.'))
        bare.len--;
    return name.len > 1 && !names_product(reader, name) && !names_product(reader, bare) &&
           !matches(reader, reader->no_operator, name);
}

/* Cuts the next of a list off the front: "a, b and c". */
static bool cut_listed(struct extract_reader *reader, struct str *rest, struct str *one)
{
    struct matched between;
    size_t at = 0;

    if (!match(reader, reader->listed, *rest, &at, &between)) {
        *one = *rest;
        return false;
    }
    *one = str_slice(*rest, 0, between.begin);
    *rest = str_slice(*rest, between.end, rest->len);
    return true;
}

/* Each operator of a list, without brackets and quotes. */
static void give_lacking(struct extract_reader *reader, struct str list)
{
    struct str one;
    bool more = true;

    while (more) {
        more = cut_listed(reader, &list, &one);
        while (one.len > 0 && one.ptr[0] == '\'')
            one = str_slice(one, 1, one.len);
        while (one.len > 0 && !extract_is_name(one.ptr[one.len - 1]))
            one.len--;
        if (is_lacking(reader, one))
            give(reader, one);
    }
}

/* What a match names: each of a list, or a name and its version. */
static void give_matched(struct extract_reader *reader, const struct pattern *pattern,
                         const struct matched *matched)
{
    struct str name = matched->groups[0], version = matched->groups[1];

    if (pattern->what == EXTRACT_DEMAND && name.len > 0) {
        give_lacking(reader, name);
        return;
    }
    buf_clear(&reader->name);
    buf_add(&reader->name, str_from(pattern->as));
    if (pattern->what == EXTRACT_HARDWARE)
        extract_spell_model(name, &reader->name);
    else
        buf_add(&reader->name, name);
    if (version.len > 0)
        buf_add_format(&reader->name, " %.*s", STR_ARG(version));
    if (version.len == 0 || !is_product(reader, buf_str(&reader->name)))
        give(reader, buf_str(&reader->name));
}

static void find_pattern(struct extract_reader *reader, size_t i,
                         const struct extract_text *text)
{
    const struct str parts[] = {text->title, text->prose, text->code};

    for (size_t p = 0; p < ROWS_OF(parts); p++) {
        size_t at = 0;
        struct matched matched;
        while ((patterns[i].where >> p & 1) != 0 &&
               match(reader, reader->compiled[i], parts[p], &at, &matched))
            give_matched(reader, &patterns[i], &matched);
    }
}

/* That something is missing is said only of an item that does not say what. */
static void find_patterns(struct extract_reader *reader, enum extract_what what,
                          const struct extract_text *text)
{
    for (size_t i = 0; i < ROWS_OF(patterns); i++)
        if (patterns[i].what == what &&
            (reader->seen.count == 0 || !extract_nameless(str_from(patterns[i].as))))
            find_pattern(reader, i, text);
}

static void find_product(struct extract_reader *reader, const pcre2_code *pattern,
                         const char *name, struct str text)
{
    struct matched matched;

    for (size_t at = 0; match(reader, pattern, text, &at, &matched);) {
        buf_clear(&reader->name);
        buf_add_format(&reader->name, "%s %.*s", name, STR_ARG(matched.groups[0]));
        give(reader, buf_str(&reader->name));
    }
}

/* Products of the corpus: what has a tag, or is imported. Many tags are words of any text
 * ("loss", "time"), so how the number is written has to say that it is a version: two
 * points, "v", "version" or "==". Behind a tag of the item itself, or what it imports, a
 * number with one point is one as well ("gdal 3.4"), as long as it is no share. */

/* In lower case, until the next one. */
static struct str lower_of(struct extract_reader *reader, struct str text)
{
    buf_clear(&reader->lower);
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(&reader->lower, str_lower(text.ptr[i]));
    return buf_str(&reader->lower);
}

static void add_tags(struct extract_reader *reader, struct map *map, struct str tags)
{
    for (size_t at = 0, end; at < tags.len; at = end + 1) {
        for (end = at; end < tags.len && strchr("<> ", tags.ptr[end]) == NULL;)
            end++;
        if (end > at)
            *map_put(map, lower_of(reader, str_slice(tags, at, end))) = 1;
    }
}

void extract_know(struct extract_reader *reader, struct str tags)
{
    add_tags(reader, &reader->tags, tags);
}

struct own_products {
    struct map tagged, imported; /* of the item */
    bool code;
};

static bool holds(struct str text, const char *part)
{
    struct str sought = str_from(part);

    for (size_t at = 0; at + sought.len <= text.len; at++)
        if (str_eq(str_slice(text, at, at + sought.len), sought))
            return true;
    return false;
}

static bool is_version_of(const struct extract_reader *reader,
                          const struct own_products *own, struct str product,
                          struct str between, struct str number)
{
    bool tagged = map_get(&own->tagged, product) != NULL,
         imports = map_get(&own->imported, product) != NULL;
    bool pinned = holds(between, "==") || holds(between, ">=") || holds(between, "~=");
    size_t points = 0;

    for (size_t i = 0; i < number.len; i++)
        points += number.ptr[i] == '.';
    if (between.len == 0 || points > 2 ||
        (!tagged && !imports && map_get(&reader->tags, product) == NULL))
        return false; /* an address, or nothing that is known to have versions */
    if (points == 2 || pinned)
        return true;
    if (own->code || holds(between, "=") || holds(between, ":"))
        return false;
    if (holds(between, "v") || holds(between, "V"))
        return true;
    return str_starts(number, STR("0.")) ? tagged && imports : tagged || imports;
}

static void find_own_products(struct extract_reader *reader,
                              const struct own_products *own, struct str text)
{
    /* Words, and systems, which have an extract of their own. */
    static const struct str no_products[] = {STR_INIT("version"), STR_INIT("versions"),
                                             STR_INIT("release"), STR_INIT("v"),
                                             STR_INIT("linux"),   STR_INIT("alpine"),
                                             STR_INIT("debian"),  STR_INIT("centos"),
                                             STR_INIT("fedora"),  STR_INIT("raspbian")};
    struct matched matched;

    for (size_t at = 0; match(reader, reader->any_version, text, &at, &matched);) {
        struct str name = matched.groups[0], number = matched.groups[1];
        struct str product = lower_of(reader, name);
        struct str between = {name.ptr + name.len,
                              (size_t)(number.ptr - name.ptr) - name.len};
        if (!is_version_of(reader, own, product, between, number) ||
            str_find(product, no_products, ROWS_OF(no_products)) < ROWS_OF(no_products) ||
            names_product(reader, product))
            continue;
        buf_clear(&reader->name);
        buf_add_format(&reader->name, "%.*s %.*s", STR_ARG(product), STR_ARG(number));
        give(reader, buf_str(&reader->name));
    }
}

static void find_of_corpus(struct extract_reader *reader, const struct extract_text *text)
{
    struct own_products own = {.tagged = {.arena = &reader->names},
                               .imported = {.arena = &reader->names}};
    struct matched matched;

    add_tags(reader, &own.tagged, text->tags);
    for (size_t at = 0; match(reader, reader->imported, text->code, &at, &matched);)
        *map_put(&own.imported, lower_of(reader, matched.groups[0])) = 1;
    find_own_products(reader, &own, text->title);
    find_own_products(reader, &own, text->prose);
    own.code = true;
    find_own_products(reader, &own, text->code);
}

static void find_versions(struct extract_reader *reader, const struct extract_text *text)
{
    for (size_t i = 0; i < NOT_SYSTEMS; i++) {
        find_product(reader, reader->versions[i], products[i].name, text->title);
        find_product(reader, reader->versions[i], products[i].name, text->prose);
        find_product(reader, reader->versions[i], products[i].name, text->code);
        if (products[i].whole) {
            find_product(reader, reader->wholes[i], products[i].name, text->title);
            find_product(reader, reader->wholes[i], products[i].name, text->prose);
        }
    }
    find_patterns(reader, EXTRACT_VERSIONS, text);
    find_of_corpus(reader, text);
}

/* Errors of an item, as names. */
struct errors_found {
    struct extract_reader *reader;
    LIST(struct str) names;
};

static void take_error(void *context, const struct extract_error *error)
{
    struct errors_found *found = context;

    if (error->message.len > 0)
        list_add(&found->names,
                 arena_format(&found->reader->names, "%.*s: %.*s", STR_ARG(error->type),
                              STR_ARG(error->message)));
    else if (!str_eq(error->type, STR("error")))
        list_add(&found->names, arena_copy(&found->reader->names, error->type));
}

/* Whether one of two names says the same and more: it goes on, or it has a type. */
static bool says_more(struct str longer, struct str name)
{
    static const struct str untyped = STR_INIT("error: ");

    if (longer.len > name.len && str_starts(longer, name))
        return true;
    if (!str_starts(name, untyped) || str_eq(longer, name))
        return false;
    struct str message = str_slice(name, untyped.len, name.len);
    for (size_t at = 1; at + message.len <= longer.len; at++)
        if (str_eq(str_slice(longer, at, at + message.len), message))
            return !str_starts(longer, untyped) || longer.len > name.len;
    return false;
}

/* What people write out elsewhere in the post is not told again where it is cut. */
static void find_errors(struct extract_reader *reader, const struct extract_text *text)
{
    struct errors_found found = {.reader = reader};

    extract_errors(text->title, EXTRACT_IN_PROSE, &reader->scratch, take_error, &found);
    extract_errors(text->prose, EXTRACT_IN_PROSE, &reader->scratch, take_error, &found);
    extract_errors(text->code, EXTRACT_IN_CODE, &reader->scratch, take_error, &found);
    for (size_t i = 0; i < found.names.count && i < NAMES_MAX; i++) {
        bool cut = false;
        for (size_t k = 0; k < found.names.count && k < NAMES_MAX && !cut; k++)
            cut = says_more(found.names.at[k], found.names.at[i]);
        if (!cut)
            give(reader, found.names.at[i]);
    }
    list_free(&found.names);
}

static void find_apis(struct extract_reader *reader, const struct extract_text *text)
{
    struct extract_code code = {0};

    extract_code_read(text->code, &code);
    for (size_t i = 0; i < code.calls.count; i++)
        if (code.calls.at[i].tells)
            give(reader, code.calls.at[i].name);
    extract_code_free(&code);
}

static void find_settings(struct extract_reader *reader, const struct extract_text *text)
{
    struct extract_code code = {0};

    extract_code_read(text->code, &code);
    for (size_t i = 0; i < code.settings.count; i++) {
        struct extract_setting one = code.settings.at[i];
        if (!one.known)
            continue;
        buf_clear(&reader->name);
        buf_add_format(&reader->name, "%.*s = %.*s", STR_ARG(one.name),
                       STR_ARG(one.value));
        give(reader, buf_str(&reader->name));
    }
    extract_code_free(&code);
}

/* The end of a sentence: a full stop, ? or ! before a blank, or an empty line. */
static bool ends_sentence(struct str text, size_t at)
{
    char c = text.ptr[at], next = at + 1 < text.len ? text.ptr[at + 1] : ' ';

    return ((c == '.' || c == '?' || c == '!') && (next == ' ' || next == '\n')) ||
           (c == '\n' && next == '\n');
}

/* A product in a sentence, with its version or without. */
struct mention {
    size_t product, begin, end;
    struct str version; /* may be empty */
};

struct mentions {
    struct mention at[12];
    size_t count;
};

/* "TensorFlow Serving" does not mention TensorFlow: what stands inside of another mention
 * or begins with it, and is shorter, is left out. In the order of the sentence. */
static void add_mention(struct mentions *mentions, struct mention one)
{
    size_t kept = 0, place = 0;

    for (size_t i = 0; i < mentions->count; i++) {
        const struct mention *other = &mentions->at[i];
        if (one.begin >= other->begin && one.end <= other->end)
            return;
        if (other->begin < one.begin || other->end > one.end)
            mentions->at[kept++] = *other;
    }
    mentions->count = kept;
    if (kept == ROWS_OF(mentions->at))
        return;
    while (place < kept && mentions->at[place].begin < one.begin)
        place++;
    memmove(&mentions->at[place + 1], &mentions->at[place],
            (kept - place) * sizeof(struct mention));
    mentions->at[place] = one;
    mentions->count++;
}

static void list_mentions(struct extract_reader *reader, struct str sentence,
                          struct mentions *out)
{
    for (size_t i = 0; i < ROWS_OF(products); i++) {
        const pcre2_code *patterns_of[] = {reader->fitting[i], reader->names_of[i]};
        for (size_t p = 0; p < ROWS_OF(patterns_of); p++) {
            size_t at = 0;
            struct matched matched;
            while (match(reader, patterns_of[p], sentence, &at, &matched))
                add_mention(out, (struct mention){i, matched.begin, matched.end,
                                                  matched.groups[0]});
        }
    }
}

/* A sentence whose words say that versions do not fit. */
struct misfit {
    struct str sentence;
    struct mentions mentions;
    const struct mention *spoken_of; /* what "it" may be; NULL: nothing */
    bool told[ROWS_OF(products)];    /* with another version than the one that it wants */
};

static void add_side(struct buf *out, const struct mention *one, const char *which)
{
    buf_add_format(out, "%s%s%s%.*s", products[one->product].name,
                   one->version.len > 0 ? " " : "", one->version.len > 0 ? which : "",
                   STR_ARG(one->version));
}

/* Two products, one with its version at least, in the order of their names. `which` is
 * said of the second's version. */
static bool give_misfit(struct extract_reader *reader, const struct mention *one,
                        const struct mention *two, const char *which)
{
    int order = strcmp(products[one->product].name, products[two->product].name);

    if (order == 0 || one->version.len + two->version.len == 0)
        return false; /* of one thing two versions are a change, no pair */
    buf_clear(&reader->name);
    add_side(&reader->name, order < 0 ? one : two, order < 0 ? "" : which);
    buf_add(&reader->name, STR(" with "));
    add_side(&reader->name, order < 0 ? two : one, order < 0 ? which : "");
    give(reader, buf_str(&reader->name));
    return true;
}

/* Whether a clause goes on from one place to another. */
static bool in_clause(struct str sentence, size_t from, size_t to)
{
    enum { CLAUSE_MAX = 60 };

    for (size_t at = from; at < to; at++)
        if (sentence.ptr[at] == ',' || sentence.ptr[at] == ';' ||
            sentence.ptr[at] == '(' || sentence.ptr[at] == ')')
            return false;
    return to >= from && to - from <= CLAUSE_MAX;
}

static bool same_product(const struct mention *one, const struct mention *two)
{
    return strcmp(products[one->product].name, products[two->product].name) == 0;
}

/* What stands nearest before a place; NULL: nothing, or only `other` itself. */
static const struct mention *mention_before(const struct misfit *misfit, size_t at,
                                            const struct mention *other)
{
    const struct mention *found = NULL;

    for (size_t i = 0; i < misfit->mentions.count; i++) {
        const struct mention *one = &misfit->mentions.at[i];
        if (one->end <= at && (other == NULL || !same_product(one, other)))
            found = one;
    }
    return found;
}

/* Whether a verb may be said of what ends there: "A 1, but is currently not supported".
 */
static bool is_near(struct str sentence, size_t from, size_t to)
{
    enum { NEAR_MAX = 30 };

    if (in_clause(sentence, from, to))
        return true;
    for (size_t at = from; at < to; at++)
        if (sentence.ptr[at] == ';' || sentence.ptr[at] == '(' || sentence.ptr[at] == ')')
            return false;
    return to - from <= NEAR_MAX;
}

/* What a cue is said of: the nearest before it in its clause, or what the sentence before
 * was on. */
static const struct mention *subject_of(struct extract_reader *reader,
                                        const struct misfit *misfit,
                                        const struct matched *cue)
{
    const struct mention *before = mention_before(misfit, cue->begin, NULL);

    if (before != NULL)
        return is_near(misfit->sentence, before->end, cue->begin) ? before : NULL;
    return matches(reader, reader->pronoun, str_slice(misfit->sentence, 0, cue->begin))
               ? misfit->spoken_of
               : NULL;
}

/* "A 1 requires B 2, but you have B 3 which is incompatible.", as pip says it. */
static bool is_of_pip(struct str sentence)
{
    return str_ends(str_trim(sentence), STR("which is incompatible."));
}

static bool are_joined(struct extract_reader *reader, struct str sentence,
                       const struct mention *one, const struct mention *two)
{
    return one->end <= two->begin &&
           (is_of_pip(sentence) ||
            matches(reader, reader->joined, str_slice(sentence, one->end, two->begin)));
}

/* "Mismatch of A 1 and B 2". */
static void give_mismatch(struct extract_reader *reader, const struct misfit *misfit,
                          const struct matched *cue)
{
    const struct mention *first = NULL;

    if (!matches(reader, reader->mismatch,
                 str_slice(misfit->sentence, cue->begin, cue->end)))
        return;
    for (size_t i = 0; i < misfit->mentions.count; i++) {
        const struct mention *one = &misfit->mentions.at[i];
        if (first != NULL && are_joined(reader, misfit->sentence, first, one) &&
            give_misfit(reader, first, one, ""))
            return;
        first = one->begin >= cue->end ? one : NULL;
    }
}

/* "A 1 does not work with B 2 or C 3", "A 1 and B 2 do not fit", "mismatch of A 1 and
 * B 2". */
static void give_not_fitting(struct extract_reader *reader, struct misfit *misfit,
                             const struct matched *cue)
{
    const struct mention *before = subject_of(reader, misfit, cue);
    bool given = false;

    if (before == NULL) {
        give_mismatch(reader, misfit, cue);
        return;
    }
    for (size_t i = 0; i < misfit->mentions.count; i++) {
        const struct mention *one = &misfit->mentions.at[i];
        if (one->begin >= cue->end && in_clause(misfit->sentence, cue->end, one->begin) &&
            give_misfit(reader, before, one, "")) {
            misfit->told[one->product] = misfit->told[before->product] = true;
            given = true;
        }
    }
    const struct mention *other = before != misfit->spoken_of && !given
                                      ? mention_before(misfit, before->begin, before)
                                      : NULL;
    if (other != NULL && are_joined(reader, misfit->sentence, other, before) &&
        give_misfit(reader, other, before, ""))
        misfit->told[other->product] = misfit->told[before->product] = true;
}

/* "... B from 1 to 2": the version that is said behind the name. */
static struct mention with_version(struct extract_reader *reader, struct str sentence,
                                   const struct mention *one)
{
    struct mention with = *one;
    struct matched matched;
    size_t at = 0;

    if (match(reader, reader->to_version, str_slice(sentence, one->end, sentence.len),
              &at, &matched) &&
        matched.begin == 0)
        with.version = matched.groups[0];
    return with;
}

/* Which versions of what is wanted do not fit. */
static const char *which_not(struct extract_reader *reader, const struct misfit *misfit,
                             const struct matched *cue, const struct mention *wanted)
{
    struct str between = str_slice(misfit->sentence, cue->begin,
                                   wanted->begin > cue->begin ? wanted->begin : cue->end),
               behind = str_slice(misfit->sentence, wanted->end, wanted->end + 12);

    if (!extract_is_digit(wanted->version.ptr[0]) ||
        matches(reader, reader->more_than, between))
        return "";
    if (matches(reader, reader->or_later, behind) ||
        matches(reader, reader->or_later, between) ||
        matches(reader, reader->or_later,
                str_slice(misfit->sentence, wanted->begin, wanted->end)))
        return "older than ";
    return matches(reader, reader->no_more_than, between) ? "newer than " : "other than ";
}

static void give_wanted(struct extract_reader *reader, const struct misfit *misfit,
                        const struct matched *cue, const struct mention *by,
                        const struct mention *wanted)
{
    struct mention with = with_version(reader, misfit->sentence, wanted);

    if (with.version.len > 0 &&
        !(misfit->told[wanted->product] && misfit->told[by->product]))
        give_misfit(reader, by, &with, which_not(reader, misfit, cue, &with));
}

/* "You need B 2 for A 1", "downgrade B to 2 for A 1": the first is wanted by the second,
 * if words between them say so. */
static void give_wanted_for(struct extract_reader *reader, const struct misfit *misfit,
                            const struct matched *cue)
{
    const struct mention *wanted = NULL;

    for (size_t i = 0; i < misfit->mentions.count; i++) {
        const struct mention *one = &misfit->mentions.at[i];
        if (one->begin < cue->end)
            continue;
        if (wanted == NULL) {
            if (!in_clause(misfit->sentence, cue->end, one->begin))
                return;
            wanted = one;
        } else if (!same_product(wanted, one)) {
            if (in_clause(misfit->sentence, wanted->end, one->begin) &&
                matches(reader, reader->wanted_by,
                        str_slice(misfit->sentence, wanted->end, one->begin)))
                give_wanted(reader, misfit, cue, one, wanted);
            return;
        }
    }
}

/* "A 1 requires B 2": any other B does not fit. "B 2 is required by A 1" says the same.
 */
static void give_only_fitting(struct extract_reader *reader, const struct misfit *misfit,
                              const struct matched *cue)
{
    const struct mention *before = subject_of(reader, misfit, cue);
    bool passive = str_eq_letters(str_slice(misfit->sentence, cue->begin, cue->end),
                                  STR("required"));

    if (before == NULL) {
        give_wanted_for(reader, misfit, cue);
        return;
    }
    for (size_t i = 0; i < misfit->mentions.count; i++) {
        const struct mention *one = &misfit->mentions.at[i];
        if (one->begin < cue->end || !in_clause(misfit->sentence, cue->end, one->begin))
            continue;
        if (passive)
            give_wanted(reader, misfit, cue, one, before);
        else
            give_wanted(reader, misfit, cue, before, one);
    }
}

/* Somebody who asks whether it fits does not say that it does not. */
static bool asks_whether(struct extract_reader *reader, struct str sentence)
{
    sentence = str_trim(sentence);
    return sentence.len > 0 && sentence.ptr[sentence.len - 1] == '?' &&
           matches(reader, reader->whether, sentence);
}

/* `previous`: the sentence before, on which "it" may be. */
static void find_misfits_in(struct extract_reader *reader, struct str sentence,
                            struct str previous)
{
    struct misfit misfit = {.sentence = sentence};
    struct mentions before = {.count = 0};
    struct matched cue;

    if (!matches(reader, reader->not_fitting, sentence) &&
        !matches(reader, reader->only_fitting, sentence))
        return;
    list_mentions(reader, sentence, &misfit.mentions);
    list_mentions(reader, previous, &before);
    misfit.spoken_of = before.count > 0 ? &before.at[0] : NULL;
    for (size_t at = 0; match(reader, reader->not_fitting, sentence, &at, &cue);)
        give_not_fitting(reader, &misfit, &cue);
    for (size_t at = 0; !asks_whether(reader, sentence) &&
                        match(reader, reader->only_fitting, sentence, &at, &cue);)
        give_only_fitting(reader, &misfit, &cue);
}

/* Sentences of the prose; lines of the code in which pip says it. */
static void find_misfits(struct extract_reader *reader, const struct extract_text *text)
{
    struct str prose = text->prose, code = text->code, previous = text->title, line;
    size_t begin = 0;

    find_misfits_in(reader, text->title, (struct str){0});
    for (size_t at = 0; at < prose.len; at++)
        if (ends_sentence(prose, at) || at + 1 == prose.len) {
            struct str sentence = str_slice(prose, begin, at + 1);
            find_misfits_in(reader, sentence, previous);
            previous = sentence;
            begin = at + 1;
        }
    while (code.len > 0) {
        str_cut(&code, '\n', &line);
        if (is_of_pip(line))
            find_misfits_in(reader, line, (struct str){0});
    }
}

/* Pairs of question and answer. */

static void take_pair(void *context, struct str name)
{
    give(context, name);
}

/* A name as only code has it. */
static bool looks_called(struct str name)
{
    for (size_t i = 1; i < name.len; i++)
        if (name.ptr[i] == '.' || name.ptr[i] == '_' ||
            (name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' && name.ptr[i - 1] >= 'a' &&
             name.ptr[i - 1] <= 'z'))
            return true;
    return false;
}

/* What an answer says of the calls of its question. */
struct confusion {
    struct extract_reader *reader;
    struct extract_code *asked, *answered;
    struct map said; /* calls that its words replace: its code need not be compared */
};

static void give_confused(struct extract_reader *reader, struct str old,
                          struct str better)
{
    buf_clear(&reader->name);
    buf_add_format(&reader->name, "%.*s -> %.*s", STR_ARG(old), STR_ARG(better));
    give(reader, buf_str(&reader->name));
}

static void take_replaced(void *context, struct str old, struct str better)
{
    struct confusion *confusion = context;

    if (map_get(&confusion->said, old) == NULL)
        give_confused(confusion->reader, old, better);
}

/* What stands for it in code, or as it is said; empty: a plain word that nobody calls. */
static struct str better_name(const struct confusion *confusion, struct str said)
{
    struct extract_reader *reader = confusion->reader;
    struct str name = extract_called(confusion->answered, said);

    if (name.len == 0)
        name = extract_called(confusion->asked, said);
    if (name.len == 0 && looks_called(said) &&
        !matches(reader, reader->no_operator, said))
        name = said;
    return name;
}

static void give_said(struct confusion *confusion, struct str old, struct str better)
{
    if (old.len == 0 || better.len == 0 || str_eq(old, better))
        return;
    map_put(&confusion->said, old);
    give_confused(confusion->reader, old, better);
}

/* Sentences, and comments in code, that say what should stand for what the question
 * calls. */
static void read_instead(struct confusion *confusion, struct str text)
{
    struct extract_reader *reader = confusion->reader;
    struct matched matched;

    for (size_t i = 0; i < ROWS_OF(instead); i++)
        for (size_t at = 0; match(reader, reader->instead[i], text, &at, &matched);) {
            bool old_first = instead[i].old_first;
            struct str old = matched.groups[old_first ? 0 : 1],
                       better = matched.groups[old_first ? 1 : 0];
            give_said(confusion, extract_called(confusion->asked, old),
                      better_name(confusion, better));
        }
}

/* "I would use build_b_function()", where the question calls build_a_function(). */
static void read_advice(struct confusion *confusion, struct str text)
{
    struct extract_reader *reader = confusion->reader;
    struct matched matched;

    for (size_t at = 0; match(reader, reader->advice, text, &at, &matched);) {
        struct str said = matched.groups[0];
        if (extract_called(confusion->asked, said).len == 0)
            give_said(confusion, extract_variant(confusion->asked, said),
                      better_name(confusion, said));
    }
}

static void find_confused(struct extract_reader *reader, struct extract_code *asked,
                          struct extract_code *answered,
                          const struct extract_text *answer)
{
    struct confusion confusion = {reader, asked, answered, {.arena = &asked->arena}};

    if (answer == NULL)
        return;
    read_instead(&confusion, answer->prose);
    read_instead(&confusion, answer->code);
    read_advice(&confusion, answer->prose);
    extract_replaced(asked, answered, take_replaced, &confusion);
}

/* A setting as prose has it: "batch size", "learning-rate". */
static struct str said_setting(struct extract_reader *reader, struct str words)
{
    buf_clear(&reader->scratch);
    for (size_t i = 0; i < words.len; i++)
        if (words.ptr[i] != ' ' && words.ptr[i] != '-')
            buf_add_char(&reader->scratch, words.ptr[i]);
    return extract_setting_name(buf_str(&reader->scratch));
}

/* "Lower the learning rate", "reduce the batch size to 16". */
static void find_advised(struct extract_reader *reader, struct str prose)
{
    for (size_t i = 0; i < ROWS_OF(advised); i++) {
        struct matched matched;
        for (size_t at = 0; match(reader, reader->advised[i], prose, &at, &matched);) {
            struct str name = said_setting(reader, matched.groups[0]);
            if (name.len == 0)
                continue;
            buf_clear(&reader->name);
            buf_add_format(&reader->name, "%.*s %s", STR_ARG(name), advised[i].as);
            give(reader, buf_str(&reader->name));
        }
    }
}

static void find_rules(struct extract_reader *reader, const struct extract_code *code)
{
    for (size_t a = 0; a < code->calls.count && a < NAMES_MAX; a++)
        for (size_t b = a + 1; b < code->calls.count && b <= a + RULES_REACH; b++) {
            const struct extract_call *one = &code->calls.at[a],
                                      *two = &code->calls.at[b];
            if (!one->tells || !two->tells || str_eq(one->name, two->name))
                continue;
            buf_clear(&reader->name);
            buf_add_format(&reader->name, "%.*s, then %.*s", STR_ARG(one->name),
                           STR_ARG(two->name));
            give(reader, buf_str(&reader->name));
        }
}

static void find_in_pair(struct extract_reader *reader, enum extract_what what,
                         const struct extract_text *question,
                         const struct extract_text *answer)
{
    struct extract_code asked = {0}, answered = {0};
    struct str prose = answer != NULL ? answer->prose : (struct str){0};

    extract_code_read(question->code, &asked);
    if (answer != NULL)
        extract_code_read(answer->code, &answered);
    if (what == EXTRACT_RULES) {
        find_rules(reader, &answered);
        reader->asked = true;
        find_rules(reader, &asked);
    } else if (what == EXTRACT_CONFUSED) {
        find_confused(reader, &asked, &answered, answer);
    } else {
        extract_changed(&asked, &answered, take_pair, reader);
        find_advised(reader, prose);
    }
    extract_code_free(&asked);
    extract_code_free(&answered);
}

void extract_find(struct extract_reader *reader, enum extract_what what,
                  const struct extract_text *question, const struct extract_text *answer,
                  extract_take *take, void *context)
{
    arena_free(&reader->names);
    reader->names = (struct arena){0};
    reader->seen = (struct map){.arena = &reader->names};
    reader->take = take;
    reader->taker = context;
    reader->asked = false;
    if (what == EXTRACT_MISFITS) {
        find_misfits(reader, question);
        if (answer != NULL)
            find_misfits(reader, answer);
    } else if (extract_kinds[what].answers) {
        find_in_pair(reader, what, question, answer);
    } else if (what == EXTRACT_ERRORS)
        find_errors(reader, question);
    else if (what == EXTRACT_APIS)
        find_apis(reader, question);
    else if (what == EXTRACT_SETTINGS)
        find_settings(reader, question);
    else if (what == EXTRACT_VERSIONS)
        find_versions(reader, question);
    else
        find_patterns(reader, what, question);
}
