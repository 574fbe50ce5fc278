import type { AgentActionKind } from './action.js';

const fields: Readonly<Record<AgentActionKind, string>> = {
  select_skills: '{"kind":"select_skills","skills":[{"name":"…"}],"reason":"…"}',
  load_resource: '{"kind":"load_resource","skill":{"name":"…"},"relative_path":"…","section_hint":"…"}',
  run_script: '{"kind":"run_script","skill":{"name":"…"},"relative_path":"…","args":["…"]}',
  call_tool: '{"kind":"call_tool","tool":"…","input":{}}',
  search_skills: '{"kind":"search_skills","query":"…"}',
  disable_skill: '{"kind":"disable_skill","skill":{"name":"…"},"reason":"…"}',
  enable_skill: '{"kind":"enable_skill","skill":{"name":"…"}}',
  update_plan: '{"kind":"update_plan"}',
  ask_user: '{"kind":"ask_user","question":"…"}',
  final_answer: '{"kind":"final_answer","content":"…"}',
};

/** What such an action looks like, as JSON on one line, `…` for what the model fills in. */
export function actionFields(kind: AgentActionKind): string {
  return fields[kind];
}

const aPlanUpdate = '{"kind":"patch","operations":[{"op":"set_status","id":"…","status":"completed"}]}';

/** What a decision with such an action looks like, as {@link actionFields} tells an action. */
export function actionForm(kind: AgentActionKind): string {
  const update = kind === 'update_plan' ? `,"plan_update":${aPlanUpdate}` : '';
  return `{"action":${fields[kind]}${update}}`;
}
