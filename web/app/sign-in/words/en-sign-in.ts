/** The words of the sign-in screen in English: the catalogue that the other follows. */
export const enSignIn = {
  title: 'Sign in',
  lead: 'This platform asks everybody for an API key.',
  'form.title': 'With an API key',
  key: 'API key',
  keyHint: 'It starts with sg_ and was shown once when it was made.',
  noKey: 'Paste a key.',
  submit: 'Sign in',
  sending: 'Signing in …',
  note: 'The key is exchanged for a session cookie that scripts cannot read. It is not stored in this browser.',
  'first.title': 'No key yet?',
  'first.body':
    'Whoever started the platform finds the first key in the file bootstrap-key of its state folder; the terminal names the path. More keys are made under Keys and audit, or with:',
} as const;
