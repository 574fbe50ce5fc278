import { expect, test } from 'vitest';
import type { SimpleCommand } from './command-line.js';
import { readCommandLine } from './read-command-line.js';

/** Whether `words:*` allows a line, as strictly as a rule may be read. */
function allows(words: string, text: string): boolean {
  const line = readCommandLine(text);
  return line.kind === 'commands' && line.commands.every((command) => matches(words.split(' '), command));
}

function matches(pattern: readonly string[], { words, assignments, redirects }: SimpleCommand): boolean {
  return (
    pattern.every((word, index) => words[index] === word) &&
    assignments.length === 0 &&
    redirects.every(({ operator, target }) => target === '/dev/null' || (operator === '2>&' && target === '1'))
  );
}

/** A line, the beginning that a rule allows, and the command that it must not allow; by default none is readable. */
type Bypass = readonly [line: string, allowed: string, hidden?: string];

const lists: readonly Bypass[] = [
  ['git status; rm -rf .', 'git', 'rm -rf .'],
  ['git status;rm -rf .', 'git', 'rm -rf .'],
  ['git status && rm -rf .', 'git', 'rm -rf .'],
  ['git status || rm -rf .', 'git', 'rm -rf .'],
  ['git status | sh', 'git'],
  ['git status |& rm -rf .', 'git'],
  ['git status & rm -rf .', 'git', 'rm -rf .'],
  ['git status\nrm -rf .', 'git', 'rm -rf .'],
  ['git status\r\nrm -rf .', 'git'],
  ['git status # all is well\nrm -rf .', 'git', 'rm -rf .'],
  ['git status \\\n; rm -rf .', 'git', 'rm -rf .'],
  ['git status &\\\n& rm -rf .', 'git'],
  ['git log "a" ; rm -rf . #"', 'git', 'rm -rf .'],
  ["git log 'a'\\''b' ; rm -rf . #'", 'git', 'rm -rf .'],
  ["git log '\\'; rm -rf . #'", 'git', 'rm -rf .'],
  ['git log \\"; rm -rf . #\\"', 'git', 'rm -rf .'],
  ["git log $'\\'; rm -rf . #'", 'git'],
  ['git log a#b; rm -rf .', 'git', 'rm -rf .'],
  ['git status; (rm -rf .)', 'git', 'rm -rf .'],
  ['git status; { rm -rf .; }', 'git', 'rm -rf .'],
  ['git status; ! rm -rf .', 'git', 'rm -rf .'],
  ['git status; if true; then rm -rf .; fi', 'git'],
  ['git status; while rm -rf .; do :; done', 'git'],
  ['git status; case a in *) rm -rf .;; esac', 'git'],
  ['git() { rm -rf .; }; git status', 'git'],
  ['git () (rm -rf .); git', 'git'],
  ['function git { rm -rf .; }; git status', 'function git'],
  ["alias git='rm -rf .'; git status", 'alias git'],
  ['coproc git rm -rf .', 'coproc git'],
];

const words: readonly Bypass[] = [
  ['git status $(rm -rf .)', 'git'],
  ['git status "$(rm -rf .)"', 'git'],
  ['git status `rm -rf .`', 'git'],
  ['git status "`rm -rf .`"', 'git'],
  ['git log $((a[$(rm -rf .)]))', 'git'],
  ['git log $[a[$(rm -rf .)]]', 'git'],
  ['git diff <(rm -rf .)', 'git'],
  ['git log > >(rm -rf .)', 'git'],
  ['git log ${x:=$(rm -rf .)}', 'git'],
  ['git log "${x@P}"', 'git'],
  ['git log ${x:-`rm -rf .`}', 'git'],
  ['git $X', 'git'],
  ['git log "$X"', 'git'],
  ['git log $IFS--output=x', 'git'],
  ['git <<EOF\n$(rm -rf .)\nEOF', 'git'],
  ["git log <<'EOF'\nEOF\nrm -rf .", 'git'],
  ['git log <<<"$(rm -rf .)"', 'git'],
  ['git {log,--output=x}', 'git'],
  ['{git,log}', '{git,log}'],
  ['git *', 'git'],
  ['git lo?', 'git'],
  ['git l[o]g', 'git'],
  ['git log ~/x', 'git'],
  ['git !(log)', 'git'],
  ['"git status"', '"git status"'],
  ['git\u00A0status', 'git\u00A0status'],
  ['gi\u0442 status', 'gi\u0442'],
  ['git\u200B status', 'git\u200B'],
  ['git status "\u0000"', 'git'],
  ['git log "never closed', 'git'],
  ["git log 'never closed", 'git'],
  ['git log \\', 'git'],
  ['git status\u2028rm -rf .', 'git'],
];

const surroundings: readonly Bypass[] = [
  ['git log > .git/config', 'git'],
  ['git log >> ~/.bashrc', 'git'],
  ['git log >| x', 'git'],
  ['git log >x', 'git'],
  ['git log <>x', 'git'],
  ['git log &>x', 'git'],
  ['git log &>/dev/null rm -rf .', 'git'],
  ['git log >& x', 'git'],
  ['git log {fd}>x', 'git'],
  ['git log 9<x', 'git'],
  ['git log </dev/tcp/127.0.0.1/80', 'git'],
  ['{ git log; } > x', '{ git'],
  ['(git log) > x', '(git'],
  ['GIT_PAGER=rm git log', 'GIT_PAGER=rm git'],
  ['PATH=. git log', 'PATH=. git'],
  ['PATH=.; git log', 'PATH=.;'],
  ['export PATH=.; git log', 'export'],
  ['LD_PRELOAD=./x.so git log', 'LD_PRELOAD=./x.so git'],
  ['x=(a b) git log', 'x=(a'],
  ['x+=a git log', 'x+=a git'],
  ['x[$(rm)]=1 git log', 'x[$(rm)]=1'],
  ['hash -p ./evil git; git status', 'hash'],
  ['set -- a; git status', 'set'],
  ['shopt -s extglob; git status', 'shopt'],
  ['enable -f ./x.so git; git status', 'enable'],
  ["trap 'rm -rf .' EXIT; git status", 'trap'],
  ["printf -v 'a[$(rm -rf .)]' x", 'printf'],
  ["[ -v 'a[$(rm -rf .)]' ]", '['],
  ["test -v 'a[$(rm -rf .)]'", 'test'],
  ["let 'a[$(rm -rf .)]'", 'let'],
  ["read 'a[$(rm -rf .)]'", 'read'],
  ["unset 'a[$(rm -rf .)]'", 'unset'],
  ["mapfile -C 'rm -rf .' -c 1 a", 'mapfile'],
  ["compgen -C 'rm -rf .'", 'compgen'],
  ['jobs -x rm -rf .', 'jobs'],
];

const starters: readonly Bypass[] = [
  ['env rm -rf .', 'env', 'rm -rf .'],
  ['/usr/bin/env rm -rf .', '/usr/bin/env', 'rm -rf .'],
  ['env -i PATH=. git log', 'env', 'git log'],
  ["env -S 'rm -rf .'", 'env'],
  ["env --split-string='rm -rf .'", 'env'],
  ['git ls-files | xargs rm', 'git'],
  ['xargs -I{} sh -c {}', 'xargs'],
  ['parallel rm ::: a', 'parallel'],
  ['find . -exec rm {} \\;', 'find'],
  ['find . -execdir rm {} +', 'find'],
  ['find . -ok rm {} ";"', 'find'],
  ['find . -delete', 'find'],
  ['find . -fprint x', 'find'],
  ['fd -x rm', 'fd'],
  ['fd -Hx rm', 'fd'],
  ['fd --exec-batch=rm', 'fd'],
  ["bash -c 'rm -rf .'", 'bash', 'rm -rf .'],
  ["bash -c 'git status; rm -rf .'", 'bash', 'rm -rf .'],
  ['bash x.sh', 'bash'],
  ['sh -c \'sh -c "rm -rf ."\'', 'sh', 'rm -rf .'],
  ["BASH -c 'rm -rf .'", 'BASH', 'rm -rf .'],
  ["zsh -c 'rm -rf .'", 'zsh'],
  ["su -c 'rm -rf .'", 'su'],
  ['sudo rm -rf .', 'sudo', 'rm -rf .'],
  ['sudo -u root -- rm -rf .', 'sudo', 'rm -rf .'],
  ['doas rm -rf .', 'doas', 'rm -rf .'],
  ['nohup rm -rf .', 'nohup', 'rm -rf .'],
  ['setsid rm -rf .', 'setsid', 'rm -rf .'],
  ['timeout 5 rm -rf .', 'timeout', 'rm -rf .'],
  ['timeout -s KILL -k5 5 rm -rf .', 'timeout', 'rm -rf .'],
  ['nice -n 5 rm -rf .', 'nice', 'rm -rf .'],
  ['nice -5 rm -rf .', 'nice'],
  ['ionice -c3 rm -rf .', 'ionice', 'rm -rf .'],
  ['stdbuf -oL rm -rf .', 'stdbuf', 'rm -rf .'],
  ['time rm -rf .', 'time', 'rm -rf .'],
  ['time -p rm -rf .', 'time', 'rm -rf .'],
  ['exec rm -rf .', 'exec', 'rm -rf .'],
  ['exec -a git rm -rf .', 'exec'],
  ['command rm -rf .', 'command', 'rm -rf .'],
  ['builtin eval rm -rf .', 'builtin', 'rm -rf .'],
  ['eval "git status; rm -rf ."', 'eval', 'rm -rf .'],
  ['. ./x', '.'],
  ['source ./x', 'source'],
  ["ssh -o ProxyCommand='rm -rf .' a", 'ssh'],
  ['scp -S ./x a b:', 'scp'],
  ["script -c 'rm -rf .'", 'script'],
  ['watch rm -rf .', 'watch'],
  ["flock x -c 'rm -rf .'", 'flock'],
  ['chroot . rm -rf .', 'chroot'],
  ['unshare rm -rf .', 'unshare'],
  ['busybox rm -rf .', 'busybox'],
  ['strace rm -rf .', 'strace'],
  ['/lib64/ld-linux-x86-64.so.2 /bin/rm -rf .', '/lib64/ld-linux-x86-64.so.2'],
  ["vim -c '!rm -rf .'", 'vim'],
  ["man -P 'rm -rf .' ls", 'man'],
];

const options: readonly Bypass[] = [
  ["git -c core.pager='rm -rf .' log", 'git'],
  ["git -c alias.x='!rm -rf .' x", 'git'],
  ['git --exec-path=. status', 'git'],
  ['git --config-env=core.pager=X log', 'git'],
  ['git -C ../evil status', 'git'],
  ['git --git-dir=evil status', 'git'],
  ['git -p log', 'git'],
  ['git x', 'git'],
  ["git config alias.x '!rm -rf .'", 'git'],
  ['git log --output=.git/config', 'git'],
  ['git worktree add .git/hooks', 'git'],
  ["git fetch --upload-pack='rm -rf .'", 'git'],
  ["git fetch --upload-p='rm -rf .'", 'git'],
  ["git push --receive-pack 'rm -rf .'", 'git'],
  ["git clone -u 'rm -rf .' a", 'git'],
  ["git clone -c core.fsmonitor='rm -rf .' a", 'git'],
  ['git clone --template=x a', 'git'],
  ["git clone 'ext::rm -rf .'", 'git'],
  ["git rebase -x 'rm -rf .' HEAD~1", 'git'],
  ["git rebase --exec 'rm -rf .'", 'git'],
  ['git bisect run rm -rf .', 'git'],
  ["git submodule foreach 'rm -rf .'", 'git'],
  ["git grep -O'rm -rf .' x", 'git'],
  ['git grep --open-files-in-pager=rm x', 'git'],
  ["git difftool -x 'rm -rf .'", 'git'],
  ["git filter-branch --tree-filter 'rm -rf .'", 'git'],
  ["tar xf a --to-command='rm -rf .'", 'tar'],
  ["tar cf a . --checkpoint=1 --checkpoint-action=exec='rm -rf .'", 'tar'],
  ["tar cf a . --checkpoint=1 --checkpoint-ac=exec='rm -rf .'", 'tar'],
  ["tar -I 'rm -rf .' -xf a", 'tar'],
  ['tar xIf rm a', 'tar'],
  ["rsync -e 'rm -rf .' a b:", 'rsync'],
  ["rsync -ave 'rm -rf .' a b:", 'rsync'],
  ['rsync --rsh=./x a b:', 'rsync'],
  ["sed '1e rm -rf .' x", 'sed'],
  ["sed 's/a/rm/e' x", 'sed'],
  ["sed -n -e p -e 's/a/b/w x' x", 'sed'],
  ["sed x -e '1e rm'", 'sed'],
  ['awk \'BEGIN{system("rm -rf .")}\'', 'awk'],
  ['awk \'BEGIN{print | "sh"}\'', 'awk'],
  ['awk \'{print > "x"}\' a', 'awk'],
  ['awk -f x', 'awk'],
  ['sort --compress-program=./x a', 'sort'],
  ["split --filter='rm -rf .' a", 'split'],
  ['rg --pre ./x y', 'rg'],
  ['wget --use-askpass=./x a', 'wget'],
  ["zip a b -T -TT 'rm -rf .'", 'zip'],
  ['make SHELL=./x', 'make'],
  ["make --eval='$(shell rm -rf .)'", 'make'],
  ['make -f x', 'make'],
  ['npm run test --script-shell=./x', 'npm'],
  ['npm run test --script-s=./x', 'npm'],
  ["npm exec -c 'rm -rf .'", 'npm'],
  ['npm explore a -- rm -rf .', 'npm'],
  ['npm config set script-shell ./x', 'npm'],
  ['npm --prefix ../evil test', 'npm'],
  ['pnpm sh', 'pnpm'],
  ['pnpm exec rm -rf .', 'pnpm'],
  ['gcc -wrapper rm,-rf,. x.c', 'gcc'],
  ['go test -exec rm ./x', 'go'],
  ['cargo --config x test', 'cargo'],
  ["gh alias set x '!rm -rf .'", 'gh'],
];

const all = [...lists, ...words, ...surroundings, ...starters, ...options];

test.each(all)('PSA-12: %j slips through no rule for %j', (line, allowed, hidden) => {
  // A rule that only compares beginnings would let it pass: else the case says nothing.
  expect(line.startsWith(allowed)).toBe(true);
  expect(allows(allowed, line)).toBe(false);
  if (hidden === undefined) return;
  const read = readCommandLine(line);
  expect(read.kind === 'commands' && read.commands.map(({ words: each }) => each.join(' '))).toContain(hidden);
});

test.each([
  ['git', 'git status && git diff --stat 2>&1 | git apply >/dev/null'],
  ['git', 'git commit -m "Mend; && rm -rf ."'],
  ['git', 'git log "\\"; rm -rf . #"'],
  ['git', "git log --format='%h %s' -- a.ts"],
  ['git', 'git push -u origin main'],
  ['git', 'git clean -fdx'],
  ['npm run test', 'npm run test -- --watch=false -c x'],
  ['tar', 'tar -czf a.tgz src'],
  ['make', 'make -j4 test'],
  ['find', 'find . -type f -name "*.ts" -newer x'],
])('PSA-12: a rule for %j allows %j', (allowed, line) => {
  expect(allows(allowed, line)).toBe(true);
});

test('there are many of them, and no two are the same', () => {
  expect(all.length).toBeGreaterThan(200);
  expect(new Set(all.map(([line]) => line)).size).toBe(all.length);
});
