#!/usr/bin/env node
// The varwire command.
import { dispatch } from './dispatch.js';

void dispatch(process.argv.slice(2));
