extension EncodingFit {
  /// The name for iconv and the languages of each encoding, and how rare it is.
  ///
  /// A language is its letters beyond ASCII, or its usual characters, the most frequent first.
  static let candidates: [(name: String, languages: [String], rarity: Int)] = [
    ("windows-1252", western, 0), ("cp932", japanese, 1), ("gb18030", simplifiedChinese, 1),
    ("cp949", korean, 1), ("cp950", traditionalChinese, 1), ("euc-jp", japanese, 1),
    ("windows-1250", central, 1), ("windows-1251", cyrillic, 1), ("windows-1254", turkish, 2),
    ("windows-1253", greek, 2), ("windows-1255", hebrew, 2), ("windows-1256", arabic, 2),
    ("windows-1257", baltic, 2), ("cp874", thai, 2), ("koi8-r", cyrillic, 2),
    ("iso-8859-2", central, 2), ("iso-8859-7", greek, 2), ("iso-8859-15", western, 2),
    ("macintosh", western, 3), ("cp850", western, 3), ("cp852", central, 3),
    ("koi8-u", cyrillic, 3), ("cp866", cyrillic, 3), ("iso-8859-5", cyrillic, 3),
    ("mac-cyrillic", cyrillic, 3),
  ]

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
