#!/usr/bin/env node
// Adds up a file of receipts, in cents: sums of decimals would be off.
import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined || file === '--help') {
  console.log('Usage: node sum.mjs FILE');
  process.exit(file === undefined ? 2 : 0);
}
const sums = new Map();
const seen = new Map();
let total = 0;
for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
  if (line.trim() === '') continue;
  const [, month, kind, whole, cents] = /^(\d{4}-\d{2})-\d{2} (\S+) (\d+)\.(\d{2})$/u.exec(line.trim()) ?? [];
  if (month === undefined) {
    console.error(`line ${index + 1} cannot be read: ${line}`);
    process.exitCode = 1;
    continue;
  }
  const amount = Number(whole) * 100 + Number(cents);
  total += amount;
  sums.set(`${month} ${kind}`, (sums.get(`${month} ${kind}`) ?? 0) + amount);
  seen.set(line.trim(), (seen.get(line.trim()) ?? 0) + 1);
}
for (const [name, sum] of [...sums].sort()) console.log(`${name} ${(sum / 100).toFixed(2)}`);
console.log(`total ${(total / 100).toFixed(2)}`);
for (const [line, count] of seen) if (count > 1) console.log(`there ${count} times: ${line}`);
