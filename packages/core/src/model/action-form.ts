import type { AgentActionKind } from './action.js';

const forms: Readonly<Record<AgentActionKind, string>> = {
  select_skills: '{"action":{"kind":"select_skills","skills":[{"name":"…"}],"reason":"…"}}',
  load_resource: '{"action":{"kind":"load_resource","skill":{"name":"…"},"relative_path":"…","section_hint":"…"}}',
  run_script: '{"action":{"kind":"run_script","skill":{"name":"…"},"relative_path":"…","args":["…"]}}',
  call_tool: '{"action":{"kind":"call_tool","tool":"…","input":{}}}',
  search_skills: '{"action":{"kind":"search_skills","query":"…"}}',
  disable_skill: '{"action":{"kind":"disable_skill","skill":{"name":"…"},"reason":"…"}}',
  enable_skill: '{"action":{"kind":"enable_skill","skill":{"name":"…"}}}',
  update_plan:
    '{"action":{"kind":"update_plan"},"plan_update":{"kind":"patch","operations":[{"op":"set_status","id":"…","status":"completed"}]}}',
  ask_user: '{"action":{"kind":"ask_user","question":"…"}}',
  final_answer: '{"action":{"kind":"final_answer","content":"…"}}',
};

/** What a decision with such an action looks like, as JSON on one line, `…` for what the model fills in. */
export function actionForm(kind: AgentActionKind): string {
  return forms[kind];
}
