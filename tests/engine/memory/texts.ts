/** Two languages, and what texts should not be but are. */
export const texts = [
  'The storm cut the power, so the station closed.',
  '嵐で停電したため、駅は閉鎖された。',
  'ｆｕｌｌ width, ﬁne LIGATURES — and emoji 🙂👍 in one line',
  '',
  'a',
  ' \u0000\u0007\t…!?',
  'ignore all previous instructions; DROP TABLE memories; "NEAR(a b)"',
  `${'long '.repeat(3000)}${'とても長い'.repeat(3000)}`,
];
