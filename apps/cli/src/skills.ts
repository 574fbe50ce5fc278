process.stdout.write('0.0.0\n');
