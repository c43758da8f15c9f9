#!/usr/bin/env node
// The varwire command.
import { dispatch } from './dispatch.js';
import { sayWhatIsNotWritten } from './lost-output.js';

sayWhatIsNotWritten(process.stdout);
void dispatch(process.argv.slice(2));
