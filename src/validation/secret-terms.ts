import { plain, wordsOf } from './words.ts'

/** A name for something secret, and the neighbours beside which it is only spoken of. */
export interface SecretTerm {
  readonly harmlessBefore: ReadonlySet<string>
  readonly harmlessAfter: ReadonlySet<string>
}

/** What names a secret even as a part of a longer word: `mypassword`, `Kontopasswort`, `openaiapikey`. */
export const SECRET_PARTS: readonly string[] = list(`
  password passwd passphrase passcode passwort kennwort contrasena wachtwoord losenord salasana adgangskode apikey secretkey
  accesskey privatekey accesstoken authtoken refreshtoken bearertoken sessiontoken apitoken clientsecret cardnumber creditcard
  securitycode verificationcode`)

/** What ends a longer word likewise: `githubtoken`, `appsecret`, `dbpwd`. */
export const SECRET_ENDS: readonly string[] = list('token secret credential credentials pwd')

/** Words of languages whose sentences are not understood here: to speak of it is to ask for it. */
export const FOREIGN_WORDS: ReadonlySet<string> = set(`
  passwort kennwort geheimzahl motdepasse contrasena codigodeseguridad senha wachtwoord losenord adgangskode kodeord passord salasana haslo
  heslo jelszo sifre lozinka parool katasandi matkhau`)

/** The same in scripts that are not cut into words here. */
export const FOREIGN_PARTS: readonly string[] = list(`
  пароль кодподтверждения кодбезпеки συνθηματικο 密码 密碼 口令 验证码 驗證碼 パスワード 暗証番号 認証コード 비밀번호 인증번호 كلمةالمرور رمزالتحقق סיסמה
  पासवर्ड รหัสผ่าน`).map(part => squeezed(plain(part)))

/** Whose keys and tokens open accounts: `stripe key`. */
export const ISSUERS: readonly string[] = list(`
  openai anthropic aws azure gcp google stripe github gitlab slack twilio sendgrid huggingface mistral cloudflare paypal`)

/** As a whole label, or behind one of these, `pass` is short for a password. */
export const PASS_OWNERS: ReadonlySet<string> = set('user db database admin root smtp imap ftp sudo login wifi mail account my')

/** Words that make a `PIN code` the postal one of India. */
export const POSTAL: ReadonlySet<string> = set('postal postcode post zip delivery area city address district state india location')

/** As one squeezed word: `card number`, `cardNumber` and `CARD_NUMBER` are `cardnumber`. Their plurals mean the same, but for `tokens`. */
export const SECRET_TERMS: ReadonlyMap<string, SecretTerm> = terms()

function terms(): ReadonlyMap<string, SecretTerm> {
  // Beside these it is the name, the number or the form of a secret, not the secret.
  const after = `name names type types kind format length count limit limits policy policies strength rule rules requirements manager store
    provider reset protected protection rotation expiry expiration lifetime ttl age history field path scope scopes version ref reference
    location algorithm issuer app method label owner`
  const before = 'no not without never non max min maximum minimum total num per'
  const plainTerm = { harmlessBefore: set(before), harmlessAfter: set(after) }
  const only = (moreBefore: string, moreAfter: string): SecretTerm => ({
    harmlessBefore: set(`${before} ${moreBefore}`),
    harmlessAfter: set(`${after} ${moreAfter}`),
  })
  const all = list(`
    password passwd passphrase passcode pwd pswd psw pw pword mdp accesscode unlockcode connectionstring
    apikey apisecret secretkey secretaccesskey accesskey accesskeyid privatekey signingkey encryptionkey decryptionkey masterkey sshkey
    gpgkey pgpkey deploykey recoverykey walletkey clientsecret appsecret sharedsecret webhooksecret
    accesstoken authtoken authenticationtoken refreshtoken bearertoken sessiontoken securitytoken apitoken sessioncookie authcookie cardnumber cardno ccno debitcard ccnumber cardverification cardverificationvalue cardsecurity cardpin carddetails
    securitycode verificationcode authenticationcode authorizationcode authcode authenticatorcode onetimecode onetimepassword onetimepin
    onetimepasscode logincode signincode recoverycode backupcode mfacode 2facode otpcode smscode twofactorcode 2fa mfa
    recoveryphrase seedphrase seedwords recoverywords mnemonicwords mnemonicphrase secretphrase secretword secretanswer securityanswer logindetails logincredential
    cvv cvc cvv2 cvc2 otp totp puk jwt`)
  return new Map([
    ...all.map(term => [term, plainTerm] as const),
    ...[...FOREIGN_WORDS].map(term => [term, plainTerm] as const),
    ...ISSUERS.map(issuer => [`${issuer}key`, plainTerm] as const),
    ['creditcard', only('', 'brand network holder country last')],
    [
      'token',
      only(
        'design nft erc crypto utility governance ring board game',
        `symbol standard supply amount address budget size window
      usage used cost price rate quota ring bucket id ids based`,
      ),
    ],
    ['secret', only('top is keep kept as this isnt', 'santa engine agent service sauce level')],
    ['credential', only('', 'id ids')],
    [
      'pin',
      only(
        'to gpio map bowling drop board connector header digital analog safety push output input led which un',
        `message messages to
      this it up down board color colour location position mode layout header out on the a tab post comment channel item note size`,
      ),
    ],
    ['pincode', plainTerm],
  ])
}

function squeezed(text: string): string {
  return wordsOf(text)
    .map(({ text: word }) => word)
    .join('')
}

function list(words: string): readonly string[] {
  return words.trim().split(/\s+/)
}

function set(words: string): ReadonlySet<string> {
  return new Set(list(words))
}
