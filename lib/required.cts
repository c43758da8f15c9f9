// What `require('varwire')` runs into: the package consists of ES modules.
throw new Error("varwire is made of ES modules: use import, or in CommonJS `const varwire = await import('varwire')`");
