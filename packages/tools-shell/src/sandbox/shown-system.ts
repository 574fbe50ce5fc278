import { lstatSync, readlinkSync } from 'node:fs';

/** A place of the machine that every confined program sees: as it is, or the link that stands there. */
export type SystemPlace =
  | { readonly kind: 'place'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** Programs and what they are made of. */
const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store', '/gnu/store'];
const others = ['/home/linuxbrew/.linuxbrew', '/var/cache/fontconfig'];

/** Of the settings, those that say nothing of who works here and hold no key. */
const settings = [
  'ld.so.cache,ld.so.conf,ld.so.conf.d,alternatives,localtime,timezone,os-release,debian_version,locale.alias',
  'ssl/certs,ssl/openssl.cnf,ca-certificates,ca-certificates.conf,pki/ca-trust/extracted,pki/tls/certs,pki/tls/cert.pem',
  'fonts,mime.types,magic,magic.mime,services,protocols,terminfo,inputrc,papersize,paperspecs,ImageMagick-6,ImageMagick-7',
  'ghostscript,perl,python3,texmf,R,java,java-11-openjdk,java-17-openjdk,java-21-openjdk,libreoffice,groff',
].flatMap((names) => names.split(',').map((name) => `/etc/${name}`));

/** The places of this machine that programs need, as far as they are here. No home, no socket, no key is among them. */
export function shownSystem(): readonly SystemPlace[] {
  return [...folders, ...others, ...settings].flatMap((path): readonly SystemPlace[] => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    // `/lib` leads to `usr/lib`. What settings lead to is shown in their place.
    if (stats.isSymbolicLink() && folders.includes(path)) return [{ kind: 'link', path, target: readlinkSync(path) }];
    return [{ kind: 'place', path }];
  });
}
