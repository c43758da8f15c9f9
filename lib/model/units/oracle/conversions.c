/*
 * Conversions computed by libudunits2: reads lines "from<TAB>to" and writes a JSON array of ["from", "to", y(1), y(100), y(-3.7)],
 * null for values when the library does not convert. Made conversions.json with libudunits2 2.2.28:
 *   gcc conversions.c -ludunits2 -o conversions
 *   node build/lib/model/units/oracle/list-pairs.js | ./conversions > lib/model/units/oracle/conversions.json
 */
#include <stdio.h>
#include <string.h>
#include <udunits2.h>

static void print_text(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  putchar('"');
}

static cv_converter *find_converter(ut_system *system, const char *from, const char *to) {
  ut_unit *source = ut_parse(system, from, UT_UTF8);
  ut_unit *target = ut_parse(system, to, UT_UTF8);
  return source && target ? ut_get_converter(source, target) : NULL;
}

int main(void) {
  char line[1024];
  const char *separator = "[\n";
  ut_set_error_message_handler(ut_ignore);
  ut_system *system = ut_read_xml(NULL);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    char *to = strchr(line, '\t');
    if (!to) continue;
    *to++ = 0;
    cv_converter *converter = find_converter(system, line, to);
    printf("%s[", separator);
    print_text(line);
    printf(",");
    print_text(to);
    if (converter)
      printf(",%.17g,%.17g,%.17g]", cv_convert_double(converter, 1), cv_convert_double(converter, 100), cv_convert_double(converter, -3.7));
    else
      printf(",null,null,null]");
    separator = ",\n";
  }
  puts("\n]");
  return 0;
}
