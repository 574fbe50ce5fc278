import { stemEnglish } from './stem-english.js';

const english = `a about an and any are as at be been being but by can cannot could d did do does doing don for from had has
have having he her here hers him his how i if in into is it its just ll m me my of on or our ours out over please re s she
should so some t than that the their theirs them then there these they this those to up us ve very was we were what when
where which while who whom whose why will with would you your yours`;

// As dictionaries cut them.
const chinese = `我 我的 我们 我們 你 你的 您 他 她 它 的 地 得 了 着 过 過 是 在 有 没有 沒有 不 也 都 就 还 還 把 被 让 讓 给 給
帮 幫 帮我 幫我 请 請 对 對 从 從 到 为 為 以 及 和 与 與 或 或者 并 並 而 但 但是 如果 因为 因為 所以 这 這 这个 這個 这些 那 那个
那個 一 个 個 一个 一個 一下 一些 里 裡 上 下 中 用 要 想 能 会 會 可以 需要 怎么 怎麼 如何 什么 什麼 吗 嗎 呢 吧 啊`;
const japanese = `の を に へ は が で と も や か から まで より など この その あの これ それ あれ ここ する し して した さ れ ます まし
です だ た て い ある いる たい ない ください 下さい お ご 私 よう こと もの ため`;

/** Words that hold a sentence together and say nothing of what it is about, as `searchWords` finds them. */
export const functionWords: ReadonlySet<string> = new Set(
  `${english} ${chinese} ${japanese}`.split(/\s+/u).map(stemEnglish),
);
