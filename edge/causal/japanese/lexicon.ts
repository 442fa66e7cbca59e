/** Event nouns, after which で and から are causal. Compiled by hand, without a dictionary. */
export const EVENT = new RegExp(
  `(?:${(
    '不足 事故 故障 地震 台風 雨 雪 風 停電 火災 火事 病気 急病 病 風邪 熱 けが 怪我 渋滞 混雑 遅れ 遅延 不具合 ミス 誤り 影響 高騰 低下 上昇 ' +
    '増加 減少 不況 洪水 津波 噴火 落雷 漏れ 切れ 断線 短絡 破損 超過 過熱 過多 過労 ストレス 不良 崩壊 破綻 感染 寒さ 暑さ 騒音 霧 ' +
    '干ばつ 戦争 ストライキ 凍結 エラー 障害 異常 都合 不注意 油断 誤解 疲れ 疲労 怒り 恐怖 不安 過失 欠陥 不信 緊張 災害 爆発 衝突 詰まり 劣化 腐食'
  )
    .split(' ')
    .join('|')})$`,
);

/** Harms: による is causal where it joins one of them, or an event. */
export const HARM =
  /(?:被害|死者|死亡|損失|損害|障害|雑音|汚染|遅れ|遅延|事故|故障|停止|中断|低下|減少|上昇|増加|劣化|火災|洪水|停電|けが|痛み|炎症|混乱|不足|破損|腐食)/;

/** Beneficiaries and goals, after which のため expresses a purpose. */
export const BENEFIT =
  /(?:念|安全|将来|健康|子ども|子供|家族|平和|誰|人|皆|自分|君|私|国|研究|勉強|参考|確認|保護|防止|予防|目的|向上|改善|維持|普及|発展|彼|彼女|者|会社|社会|何)の$/;

/** Grounds, means and kinds before により: 法律により, 多数決により, 人によって. */
export const GROUND =
  /(?:法律|法|規則|規定|条例|契約|多数決|抽選|投票|選挙|人|国|場所|地域|時期|会社|者|氏|売上|方法|順|種類|場合|もの|電話|手紙|年齢)$/;

/** Verbs after によって that mark an agent, or that things vary. */
export const AGENTIVE =
  /^[、]?(?:[^、。]{0,12}?)(?:かか|書かれ|建てられ|作られ|造られ|開発され|発明され|設計され|設立され|描かれ|運営され|決め|選ば|行われ|可決|定め|禁止され|違|異な|変わ|さまざま|様々|分かれ|まちまち)/;

/** Things that are received rather than reacted to. */
export const RECEIVED =
  /(?:招待|授業|試験|診察|検査|許可|教育|指導|賞|治療|面接|講義|手術|研修|訓練|講習|診断)$/;

/** Scenery behind a person or a picture. */
export const BACKDROP = /(?:山|海|空|夕日|富士山|景色|風景|建物|壁|城|湖)$/;
export const PERSON = /(?:長|者|氏|人|親|私|彼|彼女|員|母|父|友)$/;

/** Roads and lines, which physically lead somewhere. */
export const WAY = /(?:道|道路|線|橋|廊下|階段|路|電話|電線|回線|通路|駅|港|扉|島|網|ケーブル|管)$/;

/** Verbs of occurrence: before them the topic is the effect. */
export const HAPPENS =
  /^[、]?(?:引き起こされ|起こ|起き|生じ|発生し|生まれ|もたらされ|誘発され|招かれ)/;

/** Anaphoric expressions. */
export const DEMONSTRATIVE =
  /^(?:これ|それ|あれ|このこと|そのこと|こうしたこと|そうしたこと|この結果|その結果)$/;

const HEDGE =
  /可能性|おそれ|恐れ|かもしれ|だろう|でしょう|とみられ|と見られ|考えられ|思われ|らしい|ようだ|ようです|模様|とされ|推定|疑い|かねない|せいか/;
const NOT_CLAIMED =
  /という(?:主張|証拠|説|噂|うわさ|話|見方)[^。]{0,12}(?:否定|ない|なかった|退け|誤り)|かどうか|とは限らな|わけではな|と(?:は)?仮定|証明し(?:なければ|なくては|ようと)|を否定|否定され|とは(?:言え|いえ|考えにく)|かは不明|分かっていな|わかっていな|か調べ|だろうか|でしょうか|のなら|ならば|とは思え/;
const QUESTION = /(?:か|のか|かな|かしら)[。？?」』）)\s]*$|[？?][」』）)\s]*$/;
const CONDITION = /(?:^|[、。「])(?:もし|仮に|たとえ|万一)/;

/** Whether a sentence is a question. */
export const isQuestion = (sentence: string) => QUESTION.test(sentence);

/** Whether the text after `cue` questions or denies the claim. */
export const isDoubted = (sentence: string, cue: number) =>
  NOT_CLAIMED.test(sentence.slice(cue)) || CONDITION.test(sentence.slice(0, cue));

export const isHedged = (sentence: string, cue: number) => HEDGE.test(sentence.slice(cue));

/** Whether a cue is mentioned rather than used: 「ため」. */
export const isMentioned = (sentence: string, from: number, to: number) =>
  /[「『"“]/.test(sentence.charAt(from - 1)) && /[」』"”]/.test(sentence.charAt(to));

/** Whether a verb that begins before `at` is negated: 引き起こ|さなかった, but not つなが|りかねない. */
export function isNegated(sentence: string, at: number): boolean {
  const ending = /^[ぁ-ん]{0,14}/.exec(sentence.slice(at))?.[0] ?? '';
  if (/かもしれない|かねない|に違いない|にちがいない|ざるを得ない/.test(ending)) return false;
  return /(?:ない|なかった|なく|ません|ずに|ぬ)/.test(ending);
}

/** Whether a noun is negated: 原因|ではない. */
export const isDenied = (sentence: string, at: number) =>
  /^(?:だと|である|と)?(?:では|じゃ|でも|には|とは|とも)(?:な|あり|言え|いえ|考え|限)/.test(
    sentence.slice(at, at + 10),
  );
