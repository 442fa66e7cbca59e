import type { Translation } from '../../../i18n/message.ts';
import type { enSignIn } from './en-sign-in.ts';

/** The words of the sign-in screen in Japanese. */
export const jaSignIn = {
  title: 'サインイン',
  lead: 'このプラットフォームは全員に API キーを求めます。',
  'form.title': 'API キーで',
  key: 'API キー',
  keyHint: 'sg_ で始まり、作成時に一度だけ表示されたものです。',
  noKey: 'キーを貼り付けてください。',
  submit: 'サインイン',
  sending: 'サインイン中…',
  note: 'キーはスクリプトから読めないセッション Cookie と交換されます。このブラウザーには保存されません。',
  'first.title': 'キーがまだない場合',
  'first.body':
    '最初のキーは、プラットフォームを起動した人の状態フォルダーのファイル bootstrap-key にあります。パスはターミナルに表示されます。ほかのキーは「キーと監査」で作成するか、次のコマンドで作成します:',
} satisfies { readonly [Key in keyof typeof enSignIn]: Translation<(typeof enSignIn)[Key]> };
