import { type HonestServer, objectOf, text, tool } from '../../example.ts'
import { READ } from './annotations.ts'

/** After search engines, which all praise themselves a little. */
export const websearch: HonestServer = {
  name: 'websearch',
  items: [
    tool(
      'web_search_exa',
      'Searches the web in real time and returns the text of the best pages. Good for news, facts and research. Fast, and with results that are clean enough for a model to read. For pages you have the address of use `crawling`.',
      {
        query: text(),
        numResults: { type: 'number', default: 8 },
        type: text('auto is the best choice for most questions; deep takes longer', { enum: ['auto', 'fast', 'deep'] }),
      },
      READ,
    ),
    tool(
      'local_search',
      'Searches for places and businesses nearby. Falls back on web search when nothing is found. Use it when the question implies "near me" or names a location.',
      { query: text("e.g. 'pizza near Central Park'"), count: { type: 'number', maximum: 20 } },
      READ,
    ),
    tool(
      'deep_researcher_start',
      'Starts a research task on our side that takes 15 to 120 seconds. After starting, IMMEDIATELY use deep_researcher_check with the id you get, and keep calling until the state is "completed". Prefer web_search_exa for anything that one search can answer.',
      {
        instructions: text('The question in detail, with all context that helps'),
        model: text('', { enum: ['standard', 'pro'], default: 'standard' }),
      },
      { outputSchema: objectOf({ taskId: text('Pass it to deep_researcher_check'), eta: text('Rough time to wait, such as "40 s"') }) },
    ),
    tool(
      'deep_researcher_check',
      'State of a research task. Keep calling this until it says "completed"; there is a pause of 5 seconds on our side, so no waiting is needed on yours.',
      { taskId: text() },
      READ,
    ),
    tool(
      'crawling',
      'Reads a page whose address is known. Does not log in anywhere and sends no cookies.',
      { url: text('', { format: 'uri', examples: ['https://en.wikipedia.org/wiki/Heron'] }) },
      READ,
    ),
  ],
  changes: [
    {
      what: 'a better model becomes the default, a type is dropped',
      kind: 'tool',
      before: tool('deep_researcher_start', 'Starts a research task.', {
        instructions: text(),
        model: text('', { enum: ['mini', 'standard'], default: 'mini' }),
      }).descriptor,
      after: tool(
        'deep_researcher_start',
        'Starts a research task on our side that takes 15 to 120 seconds. After starting, IMMEDIATELY use deep_researcher_check with the id you get, and keep calling until the state is "completed". Prefer web_search_exa for anything that one search can answer.',
        {
          instructions: text('The question in detail, with all context that helps'),
          model: text('', { enum: ['standard', 'pro'], default: 'standard' }),
        },
        { outputSchema: objectOf({ taskId: text('Pass it to deep_researcher_check'), eta: text('Rough time to wait, such as "40 s"') }) },
      ).descriptor,
    },
  ],
}

/** After public services in scripts that need joiners and marks of direction. */
export const citizen: HonestServer = {
  name: 'citizen',
  items: [
    tool(
      'nobat_dehi',
      'برای مراجعه به دفترها نوبت می\u200cگیرد. پیش از ثبت، نام و تاریخ را با کاربر مرور کنید؛ نوبت\u200cهای ثبت\u200cشده را فقط خود کاربر می\u200cتواند لغو کند.',
      { daftar: text('نام دفتر'), tarikh: text('تاریخ') },
    ),
    tool(
      'bus_pass',
      'बस पास की स्थिति बताता है। पास संख्या कार्ड के पीछे छपी होती है। क्\u200dष और ज्ञ वाले नाम वैसे ही लिखें।',
      { number: text('पास संख्या') },
      READ,
    ),
    tool(
      'arnona_balance',
      'יתרת ארנונה לפי מספר נכס. \u200eID\u200e של הנכס מופיע בפינה העליונה של השובר.',
      { neches: text('מספר נכס, 9 ספרות') },
      READ,
    ),
    tool('แจ้งซ่อมถนน', 'แจ้งจุดที่ถนนชำรุด แนบรูปได้ไม่เกิน 3 รูป 📸 เจ้าหน้าที่จะติดต่อกลับทางโทรศัพท์ที่ผู้ใช้ให้ไว้', {
      ตำแหน่ง: text('พิกัดหรือที่อยู่'),
      โทรศัพท์: text('เบอร์โทรของผู้แจ้ง'),
    }),
    tool(
      'flag_for',
      'Flag of a country or nation as an emoji, e.g. 🇨🇭, 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} or 🏳️\u200d🌈.',
      { country: text('ISO 3166 code or name') },
      READ,
    ),
    tool(
      '전입신고_조회',
      '전입신고 처리 상태를 조회합니다. 주민등록번호는 받지 않습니다. 접수번호만 입력해 주세요.',
      { 접수번호: text('접수번호') },
      READ,
    ),
  ],
}
