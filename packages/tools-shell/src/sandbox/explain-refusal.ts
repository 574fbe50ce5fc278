import { visibleText } from '@skillpack/core';

/** What a Linux machine says of namespaces; `undefined` where it has no such setting. */
export interface NamespaceSettings {
  /** `kernel.apparmor_restrict_unprivileged_userns`: Ubuntu since 23.10. */
  readonly apparmor: string | undefined;
  /** `kernel.unprivileged_userns_clone`: Debian, Arch. */
  readonly clone: string | undefined;
  /** `user.max_user_namespaces`. */
  readonly most: string | undefined;
}

const longest = 300;

/** Why bubblewrap starts nothing here, and what would help, for a person. @param said what it wrote itself */
export function explainRefusal(said: string, { apparmor, clone, most }: NamespaceSettings): string {
  const cause = visibleText(said.trim()).slice(0, longest);
  const told = cause === '' ? '' : ` It says: ${cause}`;
  if (!/namespace|uid map|permi|not permitted|denied|loopback|RTM_NEWADDR|NEWUSER/iu.test(cause)) {
    return `bubblewrap does not start anything here.${told}`;
  }
  if (most === '0') {
    return `User namespaces are turned off: sysctl user.max_user_namespaces is 0. Set it to 10000, for one.${told}`;
  }
  if (clone === '0') {
    return `Only root may make user namespaces: sysctl kernel.unprivileged_userns_clone is 0. Set it to 1.${told}`;
  }
  if (apparmor === '1') {
    return `AppArmor keeps programs from user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns is 1. Give bwrap a profile with “userns,” (in /etc/apparmor.d), or set it to 0.${told}`;
  }
  return `The system does not let bubblewrap make namespaces, as in most containers.${told}`;
}
