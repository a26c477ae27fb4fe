import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asksForSecret, demandsSecret, describesSecret, namesSecret } from '../../src/validation/secrets.ts'

/** One case between each two bars. */
const cases = (text: string) => text.split(/[|\n]/).flatMap(line => line.trim() || [])

describe('A-111: a field is known for a secret by its name', () => {
  it.each(
    cases(`
      password|Password|PASSWORD|passWord|pass_word|pass-word|pass word|p.a.s.s.w.o.r.d|p a s s w o r d|p_a_s_s|pAsSwOrD|P A S S W O R D
      passwords|newPassword|new_password|confirmPassword|mypassword|passwordConfirmation|userPassword|PasswordAgain|db_password|Password:
      passwd|Passphrase|pass-phrase|pass phrase|passcode|pwd|dbPwd|db_pwd|userpwd|PSW|userPass|SMTP_PASS|pass
      pw|userPw|db pw|pword|mdp|access code|unlock code|connectionString|ᴘᴀssᴡᴏʀᴅ|ᴘɪɴ|ᴛᴏᴋᴇɴ|card no|seed words
      passw0rd|p4ssword|p@ssw0rd|pa$$word|p@$$word|t0ken|s3cret
      pаsswоrd|рassword|passwοrd|ｐａｓｓｗｏｒｄ|pässwörd|mypássword|tоken|аpi key
      apiKey|APIKey|api_key|API-KEY|Api Key|api key|apikey|openaiApiKey|x-api-key|apiKeyValue|api_secret|API keys
      secret|clientSecret|client_secret|ClientSecret|secretKey|secret_access_key|awsSecretAccessKey|appsecret|webhookSecret|secretValue
      token|Token|accessToken|access_token|ACCESS TOKEN|githubToken|github_token|githubtoken|authToken|bearer-token|refreshToken|API token
      tokenValue|personal access token|idToken|bot_token|access tokens|your token
      otp|OTP|OTPs|O.T.P.|o t p|otpCode|one-time code|oneTimePassword|One Time PIN|totp|2FA|2fa code|mfaCode|MFA code|two-factor code
      verificationCode|verification_code|authenticator code|SMS code|backup code|recovery-phrase|seed phrase|securityCode|security code
      pin|PIN|P.I.N.|pinCode|pin_number|cardPin|PIN code|userPIN|PINs|new pin
      cvv|CVV2|cvc|cardCvv|card_cvc|cardNumber|card_number|card-number|Card Number|CARDNUMBER|creditCard|credit card number|ccNumber
      debit card|card details|cardSecurityCode|card verification value
      privateKey|private_key|PRIVATE KEY|ssh-key|sshKey|signing key|encryptionKey|masterKey|deploy key|stripeKey|OpenAI key
      credentials|Credential|loginCredentials|login details|session cookie|jwt|JWT|security answer|userCredentials
      Passwort|Kontopasswort|Kennwort|contraseña|mot de passe|motDePasse|senha|şifre|hasło|lösenord|wachtwoord|heslo|mật khẩu
      пароль|Ваш пароль|密码|您的密码|パスワード|비밀번호|كلمة المرور|סיסמה|รหัสผ่าน
    `),
  )('%s', label => {
    expect(namesSecret(label)).toBe(true)
  })

  it.each(
    cases(`
      name|email|e-mail|username|user_name|displayName|address|street|city|country|postcode|zip_code|birthday|age|amount|currency|iban
      tokens|maxTokens|max_tokens|max token|token_count|tokenCount|numTokens|token limit|tokenLimit|tokens_per_minute|tokenBudget
      Token symbol|tokenizer|tokenize|min_token_length|number of tokens|designToken|nft token|total tokens|tokenStandard|tokenType
      pinned|isPinned|pinMessage|pin_to_top|pinColor|mapPin|gpioPin|unpin|pinning|spinning|pinned_at|opinion|pinterest|shipping
      postal pin code|area pincode|delivery pin code|PIN code (postal)|city pincode
      secretary|secretSanta|topSecret|isSecret|secretName|secret_name|secretPath|secretVersion|name of the secret|Path of the private key
      passwordPolicy|password_length|passwordStrength|passwordless|noPassword|passwordManager|passenger|compass words|passage|bypass
      boarding pass|skiPass|passport|Passport number|pass_rate|mountain pass
      publicKey|key|keyName|primary key|issue key|project key|keyword|keyboard|hockey|sort_key|licensePlate
      apiKeyName|credentialName|credential id|credentialType|tokenName|access token name|secrets_manager_name
      code|country code|promo code|product_code|errorCode|zip code|currencyCode|status code
      card|cardType|card brand|creditCardType|discard|cardinality|wildcard|scorecard
      hotpot|desktop|laptop|stop|options|adoption|potpourri|cryptopia
      authentication|authorName|authorization scope|authorized|session|cookiePolicy|cookies
      μm|kΩ|Essen haben|Friesenhaus|parola chiave|имя|住所|名前|naïve|Straße
    `),
  )('but %s is none', label => {
    expect(namesSecret(label)).toBe(false)
  })
})

describe('A-111: sentences ask for a secret', () => {
  it.each(
    cases(`
      Please enter your password|Enter your password to continue.|enter the new pass-word below|Kindly provide the root password.
      To go on, type in your P.I.N.|Please input the PIN of your card|What is your password?|What's your PIN?|Password?|Your password, please
      Password:|To confirm, give me the API key you use.|We need your OpenAI key to proceed|Paste an access token here|Paste your t0ken
      Your API key is required for this|A one-time code is needed. Look at your phone|Sign in with your password|log in using credentials
      Please confirm your password|We could not log in. Provide credentials.|Enter the code we sent to your phone
      Please type the 6-digit code that was texted to you|Enter the verification code from your authenticator app|Enter the OTP
      Enter your card number and CVV|Submit the credit card number|Insert your private key|Share your seed phrase to restore the wallet
      Tell me your secret|Please send your password to the operator|The server says: enter your passwоrd|ENTER YOUR PASSWORD
      Choose your new password|Set your PIN|please re-enter your p@ssw0rd now|Hello.\\nEnter your password|Enter your Passwort now
      Bitte geben Sie Ihr Passwort ein, um fortzufahren|Introduzca su contraseña para continuar con la operación|请输入您的密码
      Введите пароль от учётной записи чтобы продолжить|Do not hesitate to enter your password|Specify the client secret of the app
      The next field: your password: leave nothing out|Please enter your login details for the portal
    `).map(text => text.replaceAll('\\n', '\n')),
  )('%s', text => {
    expect(asksForSecret(text)).toBe(true)
    expect(describesSecret(text)).toBe(true)
  })

  it.each(
    cases(`
      Please provide your GitHub username|Please provide your contact information|What is your name?|Delete 3 files? This cannot be undone.
      How many tokens may the answer have?|Enter the maximum number of tokens for the answer|Please enter a token limit|Enter the token symbol
      Do you want to pin this message to the channel?|Pin the comment?|Which GPIO pin should blink in this circuit?|Enter the map pin color
      Should the password of this account be reset now?|We will send a password reset link to your address. Go on?
      Please confirm that the password may be reset for this user|You need to rotate the API key every ninety days
      Enter the name of the secret that holds the database login|Enter the path of your private key file on the server
      Do you want me to create an access token for the build server?|Shall I revoke the old API keys of the project?
      Which password manager does the team use at present?|Keep this secret between the two of us, will you?|Who is your secret santa this year?
      Never enter your password in a form like this one, whoever asks|This form will not ask for a password or for anything like it
      Please enter the postal pin code of the delivery address|Enter your country code and phone number|Enter the promo code we sent to you
      Which credit card type do you prefer for travel?|The passport number is on the first page of it|Enter the error code you saw
      I will generate a one-time code for the new device, is that fine?|Choose a color for the tokens of both players
      Reset the password?|Delete the API key?|Use the token?|Create an access token?|Revoke credentials?
      Enter the project key of the issue tracker|Type the sort key of the table|The tests passed. Shall I merge?|Please enter the secretary's name
    `),
  )('but "%s" asks for none', text => {
    expect(asksForSecret(text)).toBe(false)
  })
})

describe('A-111: words beside what cannot be filled in ask where they say so', () => {
  it.each(
    cases(
      'Enter your password above|Type your PIN, then check this|Your API key is required|Geben Sie oben Ihr Passwort ein|請在上面的欄位中輸入您的密碼',
    ),
  )('%s', text => {
    expect(demandsSecret(text)).toBe(true)
  })

  it.each(
    cases(
      'Password|API key|Personal access token|One-time code|Reset the password|Sign in with a passkey|Sign in with a certificate|Passwort|密码|Credentials of the store',
    ),
  )('but "%s" does not', text => {
    expect(demandsSecret(text)).toBe(false)
  })
})

describe('A-111: what describes a free field may do so with the secret alone', () => {
  it.each(
    cases(`
      Your password|The user's password|API key for the OpenAI service, as shown in the console|Your GitHub personal access token with repo rights
      The password of your account at the portal|Password to log in to the machine|Used for login. Your PIN as set at the bank counter.
      CVV on the back of the card that you pay with|A bearer token|Temporary access token of the build system
    `),
  )('%s', text => {
    expect(describesSecret(text)).toBe(true)
  })

  it.each(
    cases(`
      Your full name|Your email address|Maximum tokens of the answer|Name of the secret in the vault|Username, not password|Where to ship it
      Reason for the change, shown to whoever approves it|How long the audience has to wait before the password reset mail arrives
      City, or the postal PIN code of it|Number of tokens to buy|Text that is put before the answer|The title of the issue
    `),
  )('but "%s" does not', text => {
    expect(describesSecret(text)).toBe(false)
  })
})

it('spelling changes nothing: case, joints, letters that stand alone', () => {
  const words = fc.constantFrom(
    ['pass', 'word'],
    ['api', 'key'],
    ['access', 'token'],
    ['client', 'secret'],
    ['card', 'number'],
    ['private', 'key'],
  )
  const joint = fc.constantFrom('', '_', '-', ' ', '.', '  ', '/')
  const casing = fc.constantFrom(
    (word: string) => word,
    (word: string) => word.toUpperCase(),
    (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1),
  )
  fc.assert(
    fc.property(words, joint, casing, ([first = '', second = ''], between, spell) => {
      const label = spell(first) + between + spell(second)
      expect(namesSecret(label)).toBe(true)
      expect(namesSecret(`my_${label}`)).toBe(true)
      expect(asksForSecret(`Please enter your ${label} to continue with the order`)).toBe(true)
    }),
  )
})

it('a text that would cost too much to read counts as one that asks', () => {
  const text = `a${'\u0301'.repeat(40)}`
  expect([namesSecret(text), asksForSecret(text), describesSecret(text)]).toEqual([true, true, true])
})
