import { statSync } from 'node:fs';

/** Programs of the machine by which devices are guarded. All absolute, and none from the workspace. */
export interface DeviceGuard {
  readonly unshare: string;
  readonly mount: string;
  readonly sh: string;
}

/** Those that bubblewrap hands in as they are, and not as its own. */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);

const guard = `
mount=$1
shift
for device in ${devices.join(' ')}; do
  if test -e "$device"; then
    "$mount" --bind "$device" "$device" && "$mount" -o remount,bind,ro "$device" || exit 1
  fi
done
exec "$@" < /dev/null
`;

/** Whether devices belong to whoever runs this: who owns one may take the right to use it from everybody. */
export function ownsDevices(): boolean {
  return devices.some((device) => statSync(device, { throwIfNoEntry: false })?.uid === process.getuid?.());
}

/** The words before a program that keep devices, also the one that it reads from, as they are, whoever owns them. They can be used. */
export function guardedDevices({ unshare, mount, sh }: DeviceGuard): readonly string[] {
  return [unshare, '--user', '--map-root-user', '--mount', sh, '-c', guard, 'sh', mount];
}
