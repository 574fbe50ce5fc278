/** Whether scripts run in a sandbox: always, where one works, or never. */
export type SandboxMode = 'required' | 'auto' | 'off';

/** The words for {@link SandboxMode}. */
export const sandboxModes = ['required', 'auto', 'off'] as const satisfies readonly SandboxMode[];
