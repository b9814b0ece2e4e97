/// An encoding and the languages that are written in it.
struct EncodingCandidate {
  /// Its name for iconv.
  let name: String
  /// For each language, its letters beyond ASCII or its usual characters, the most frequent first.
  let languages: [String]
  /// How rare it is.
  let rarity: Int

  static let all: [EncodingCandidate] =
    of(["windows-1252"], western, rarity: 0) + of(["cp932"], japanese, rarity: 1)
    + of(["gb18030"], simplifiedChinese, rarity: 1) + of(["cp949"], korean, rarity: 1)
    + of(["cp950"], traditionalChinese, rarity: 1) + of(["euc-jp"], japanese, rarity: 1)
    + of(["windows-1250"], central, rarity: 1) + of(["windows-1251"], cyrillic, rarity: 1)
    + of(["windows-1254"], turkish, rarity: 2)
    + of(["windows-1253", "iso-8859-7"], greek, rarity: 2)
    + of(["windows-1255"], hebrew, rarity: 2) + of(["windows-1256"], arabic, rarity: 2)
    + of(["windows-1257"], baltic, rarity: 2) + of(["cp874"], thai, rarity: 2)
    + of(["koi8-r"], cyrillic, rarity: 2) + of(["iso-8859-2"], central, rarity: 2)
    + of(["iso-8859-15"], western, rarity: 2) + of(["macintosh", "cp850"], western, rarity: 3)
    + of(["koi8-u", "cp866", "iso-8859-5", "mac-cyrillic"], cyrillic, rarity: 3)
    + of(["cp852"], central, rarity: 3)

  private static func of(_ names: [String], _ languages: [String], rarity: Int) -> [Self] {
    names.map { Self(name: $0, languages: languages, rarity: rarity) }
  }

  private static let western = [
    "öüäßéá", "éèîïçôëâêàûùœ", "áíóéúñü", "áãíéçúêóâôõ", "àèìòùé", "äöåéü", "øæåéöü", "íðóúýáæöþé",
    "äõüšžö",
  ]
  private static let central = [
    "łóńżśęąćź", "ášýíéčžřěúňůóüťď", "áéóöíőüúű", "áčýšéížóľúňďťäôĺŕ", "čšžćđ", "ăşţâîé",
  ]
  private static let cyrillic = [
    "аоинрексвлтмудйбягпьзчфхыщшжцэю", "анокреіслтивдмуьбйгпячзхшцфжюєїщґ",
  ]
  private static let baltic = ["ėųšžčūęąį", "ņāšīēūžļčķģ", "äõüšžö"]
  private static let turkish = ["ıüçşğöiâ"]
  private static let greek = ["αοινκτρλςεμσάυίπηγδόβέήωύχφζώθϊ"]
  private static let hebrew = ["יוארהלנבמקדסגןטתפשחזעםכצץף"]
  private static let arabic = ["ايلونرمبةدستكجعفهزقأشحغطصخئذضءثإىآؤظ"]
  private static let thai = ["านรเกอลมตสยวดบโทงุซคจชะูถปหแพธ่้ษำณศไฟภฐญฮข"]
  private static let japanese = [
    "ンールアラス会社リ語トイ藤田ドクタマナカジシニバィガフウ中ブ式レ株木ロエ合デ山サ有限"
      + "コ国同チグ佐ャテェ本和島ダオビ村ッ林パ共ムベ士ュのはにをがでしていとたるなも々市県町"
  ]
  private static let korean = [
    "어아사리스이자라르유주원가공기국나트회니및크시타마화문바비지카도로제한고드"
      + "코루조레프오대미수관영인식부정우보티에김네서디구다포민동파의을는하군읍면"
  ]
  private static let simplifiedChinese = [
    "公司有限语尔斯拉亚路克科省街马尼特利里巴加信技阿西国纳媒传兰州文卡布罗息网岛和络"
      + "瓦工德比维塔萨南达伊理多员塞师安格共区地新王李吉奥埃的是不了在人这中大市县镇村"
  ]
  private static let traditionalChinese = [
    "文語亞公有司限拉斯爾克國馬利員巴尼人加阿西里和資台師訊美達共特德納羅工股份蘭大"
      + "卡島林電瓦中業布灣多安比南維哥古科地法程塔薩新索華技管的是不了在這市縣區鎮鄉村"
  ]
}
