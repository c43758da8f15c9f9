#include "ball.h"

typedef void (*Logger)(void *, const char *, int, const char *, const char *, ...);
typedef struct {
  Logger logger;
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, int);
  void *env;
} Callbacks;
typedef struct { int again, terminate, nominals, states, next_defined; double next; } EventInfo;

#define LOG(m, status, ...) ((Logger)(m)->log)((m)->env, "ball", status, "test", __VA_ARGS__)

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const Callbacks *c, int visible, int logging) {
  if (strcmp(guid, "{ball}")) {
    c->logger(c->env, name, 3, "test", "the guid is %s", guid);
    return 0;
  }
  Model *m = c->allocate(1, sizeof *m);
  start(m);
  m->log = (void *)c->logger;
  m->env = c->env;
  m->is_stepping = -type;
  if (logging)
    LOG(m, 0, "%s has %d states, %.2f and %g, %d %d %d %d %s with %s", name, 2, 0.125, 1e10, 3, 4, 5, 6, resources,
        resource(resources + strlen("file://"), "/data.txt"));
  return m;
}
void fmi2FreeInstance(void *c) { barred(c); crash_if(c, CRASH_FREED); free(c); }
int fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *categories) { return 0; }
int fmi2SetupExperiment(void *c, int tolerance_defined, double tolerance, double from, int stop_defined, double to) { return stop_defined ? 3 : 0; }
int fmi2EnterInitializationMode(void *c) { return 0; }
int fmi2ExitInitializationMode(void *c) {
  // Co-simulation, whose type is 1.
  if (((Model *)c)->is_stepping == -1) ((Model *)c)->is_stepping = 1;
  return 0;
}
int fmi2Terminate(void *c) { barred(c); crash_if(c, CRASH_ENDED); return 0; }
int fmi2Reset(void *c) { start(c); return 0; }

static void set(Model *m) { m->is_set = m->is_stepping == 1; }

static double *real(Model *m, unsigned vr) {
  static double made;
  double *all[] = {&m->h, &m->v, &m->g, &m->e, &m->u};
  if (vr < 5) return all[vr];
  if (vr >= 10 && vr < 13) return &m->list[vr - 10];
  if (vr == 13) return &m->nominal;
  made = vr == 5 ? 2 * m->u : vr == 6 ? m->v : vr == 7 ? m->g : vr == 8 ? m->time : vr == 9 ? m->asked : vr >= 1000 ? vr + m->time : NAN;
  return &made;
}
int fmi2GetReal(void *c, const unsigned *vr, size_t n, double *value) {
  if (barred(c)) return 3;
  for (size_t i = 0; i < n; i++) value[i] = *real(c, vr[i]);
  return 0;
}
int fmi2SetReal(void *c, const unsigned *vr, size_t n, const double *value) {
  set(c);
  for (size_t i = 0; i < n; i++) *real(c, vr[i]) = value[i];
  return 0;
}
static int *integer(Model *m, unsigned vr) {
  int *all[] = {&m->bounces, &m->mode, &m->gear, &m->ticks, &m->instance};
  return all[vr];
}
int fmi2GetInteger(void *c, const unsigned *vr, size_t n, int *value) {
  if (barred(c)) return 3;
  for (size_t i = 0; i < n; i++) value[i] = *integer(c, vr[i]);
  return 0;
}
int fmi2SetInteger(void *c, const unsigned *vr, size_t n, const int *value) {
  set(c);
  for (size_t i = 0; i < n; i++) *integer(c, vr[i]) = value[i];
  return 0;
}
int fmi2GetBoolean(void *c, const unsigned *vr, size_t n, int *value) {
  if (barred(c)) return 3;
  Model *m = c;
  for (size_t i = 0; i < n; i++) value[i] = vr[i] == 0 ? m->on : !m->on;
  return 0;
}
int fmi2SetBoolean(void *c, const unsigned *vr, size_t n, const int *value) {
  set(c);
  ((Model *)c)->on = value[0];
  return 0;
}
int fmi2GetString(void *c, const unsigned *vr, size_t n, const char **value) {
  if (barred(c)) return 3;
  for (size_t i = 0; i < n; i++) value[i] = ((Model *)c)->label;
  return 0;
}
int fmi2SetString(void *c, const unsigned *vr, size_t n, const char *const *value) {
  set(c);
  snprintf(((Model *)c)->label, sizeof ((Model *)c)->label, "%s", value[0]);
  return 0;
}

static void *log_aside(void *c) {
  LOG((Model *)c, 0, "from a thread");
  return 0;
}
int fmi2DoStep(void *c, double time, double step, int no_set) {
  Model *m = c;
  m->asked = time;
  m->is_set = 0;
  misbehave(m);
  if (m->mode == FLOOD)
    for (int i = 0; i < 100000; i++) LOG(m, 0, "line %d of many", i);
  if (m->mode == FAIL) {
    LOG(m, 3, "the valve is %s at %.1f s", "stuck", time);
    m->has_failed = 1;
    return 3;
  }
  if (m->mode == NO_STATUS) return -5;
  if (m->mode == THREAD) {
    pthread_t thread;
    pthread_create(&thread, 0, log_aside, m);
    pthread_join(thread, 0);
  }
  if (m->mode == TERMINATE) return 2;
  double part = reach(m, step);
  fly(m, part);
  m->last_tick = time + part;
  return part < step ? 2 : 0;
}
int fmi2GetBooleanStatus(void *c, int kind, int *value) { *value = kind == 3 && ((Model *)c)->mode == TERMINATE; return 0; }
int fmi2GetRealStatus(void *c, int kind, double *value) { *value = kind == 2 ? ((Model *)c)->last_tick : NAN; return 0; }
int fmi2CancelStep(void *c) { return 3; }

// Model exchange: the states are h and v, and a tick comes every quarter of a second.
int fmi2SetTime(void *c, double time) { ((Model *)c)->time = time; return 0; }
int fmi2SetContinuousStates(void *c, const double *x, size_t n) {
  ((Model *)c)->h = x[0];
  ((Model *)c)->v = x[1];
  return 0;
}
int fmi2GetContinuousStates(void *c, double *x, size_t n) {
  x[0] = ((Model *)c)->h;
  x[1] = ((Model *)c)->v;
  return 0;
}
int fmi2GetNominalsOfContinuousStates(void *c, double *x, size_t n) { x[0] = x[1] = ((Model *)c)->nominal; return 0; }
int fmi2GetDerivatives(void *c, double *dx, size_t n) {
  if (((Model *)c)->mode == REFUSE && ((Model *)c)->h < -0.01) return 2;
  // How often, and with a drag.
  ((Model *)c)->asked++;
  dx[0] = ((Model *)c)->v;
  dx[1] = ((Model *)c)->g - ((Model *)c)->u * ((Model *)c)->v;
  return 0;
}
int fmi2GetEventIndicators(void *c, double *z, size_t n) {
  Model *m = c;
  z[0] = m->h == 0 && m->v > 0 ? 1e-300 : m->h;
  return 0;
}
int fmi2CompletedIntegratorStep(void *c, int no_set, int *event, int *terminate) {
  misbehave(c);
  *event = wants(c);
  *terminate = ((Model *)c)->mode == TERMINATE;
  return 0;
}
int fmi2EnterEventMode(void *c) { return 0; }
int fmi2NewDiscreteStates(void *c, EventInfo *info) {
  Model *m = c;
  memset(info, 0, sizeof *info);
  info->states = granted(m);
  if (m->h <= 1e-9 && m->v < 0) {
    bounce(m);
    info->states = 1;
  }
  if (m->time >= m->next_tick) {
    m->ticks++;
    m->next_tick += 0.25;
  }
  info->next_defined = 1;
  info->next = m->next_tick;
  return 0;
}
int fmi2EnterContinuousTimeMode(void *c) { return 0; }

int fmi2GetFMUstate(void *c, void **state) {
  *state = malloc(sizeof(Model));
  memcpy(*state, c, sizeof(Model));
  return 0;
}
int fmi2SetFMUstate(void *c, void *state) {
  Model *m = c, *from = state, kept = *m;
  *m = *from;
  m->log = kept.log;
  m->env = kept.env;
  return 0;
}
int fmi2FreeFMUstate(void *c, void **state) { free(*state); *state = 0; return 0; }
int fmi2SerializedFMUstateSize(void *c, void *state, size_t *size) { *size = sizeof(Model); return 0; }
int fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size) {
  crash_if(c, CRASH_SAVED);
  memcpy(bytes, state, size);
  return 0;
}
int fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state) {
  *state = malloc(size);
  memcpy(*state, bytes, size);
  crash_if(*state, CRASH_LOADED);
  return 0;
}
