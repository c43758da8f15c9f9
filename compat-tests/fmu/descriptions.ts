// The descriptions of the test FMUs.

const UNITS = `<UnitDefinitions>
  <Unit name="m"><BaseUnit m="1"/></Unit>
  <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
  <Unit name="m/s2"><BaseUnit m="1" s="-2"/></Unit>
  <Unit name="cm"><BaseUnit m="1" factor="0.01"/></Unit>
  <Unit name="rev/min"><BaseUnit s="-1" rad="1" factor="0.10471975511965977"/></Unit>
</UnitDefinitions>`;

const FLAGS_2 = 'canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true"';

export const DESCRIPTION_2 = `<?xml version="1.0" encoding="ISO-8859-1"?>
<fmiModelDescription fmiVersion="2.0" modelName="Ball" guid="{ball}" description="a ball" generationTool="by hand" numberOfEventIndicators="1">
<ModelExchange modelIdentifier="ball" canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>
<CoSimulation modelIdentifier="ball" ${FLAGS_2}/>
${UNITS}
<TypeDefinitions><SimpleType name="Gear"><Enumeration><Item name="first gear" value="1"/><Item name="second" value="2"/></Enumeration></SimpleType></TypeDefinitions>
<DefaultExperiment startTime="0" stopTime="3" stepSize="0.01"/>
<ModelVariables>
<ScalarVariable name="h" valueReference="0" causality="output" initial="exact" description="height"><Real start="1" unit="m"/></ScalarVariable>
<ScalarVariable name="v" valueReference="1" causality="output" initial="exact"><Real start="0" unit="m/s"/></ScalarVariable>
<ScalarVariable name="der(h)" valueReference="6"><Real derivative="1" unit="m/s"/></ScalarVariable>
<ScalarVariable name="der(v)" valueReference="7"><Real derivative="2" unit="m/s2"/></ScalarVariable>
<ScalarVariable name="g" valueReference="2" causality="parameter" variability="fixed"><Real start="-9.81" unit="m/s2"/></ScalarVariable>
<ScalarVariable name="floor.e" valueReference="3" causality="parameter" variability="tunable" description="what is kept of the speed"><Real start="0.7" min="0" max="1"/></ScalarVariable>
<ScalarVariable name="u" valueReference="4" causality="input"><Real start="0" unit="cm"/></ScalarVariable>
<ScalarVariable name="y" valueReference="5" causality="output"><Real unit="m"/></ScalarVariable>
<ScalarVariable name="y alias" valueReference="5"><Real unit="m"/></ScalarVariable>
<ScalarVariable name="wheel.list[1]" valueReference="10" causality="input"><Real start="1" unit="rev/min"/></ScalarVariable>
<ScalarVariable name="wheel.list[2]" valueReference="11" causality="input"><Real start="2" unit="rev/min"/></ScalarVariable>
<ScalarVariable name="wheel.list[3]" valueReference="12" causality="input"><Real start="3" unit="rev/min"/></ScalarVariable>
<ScalarVariable name="bounces" valueReference="0" causality="output"><Integer/></ScalarVariable>
<ScalarVariable name="mode" valueReference="1" causality="parameter" variability="tunable"><Integer start="0"/></ScalarVariable>
<ScalarVariable name="gear" valueReference="2" causality="input"><Enumeration declaredType="Gear" start="1"/></ScalarVariable>
<ScalarVariable name="ticks" valueReference="3"><Integer/></ScalarVariable>
<ScalarVariable name="on" valueReference="0" causality="input"><Boolean start="false"/></ScalarVariable>
<ScalarVariable name="off" valueReference="1" causality="output"><Boolean/></ScalarVariable>
<ScalarVariable name="label" valueReference="0" causality="parameter" variability="fixed"><String start="plant"/></ScalarVariable>
<ScalarVariable name="'shown label'" valueReference="1" causality="output"><String/></ScalarVariable>
<ScalarVariable name="asked" valueReference="9"><Real unit="s"/></ScalarVariable>
<ScalarVariable name="nominal" valueReference="13" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
<ScalarVariable name="instance" valueReference="4"><Integer/></ScalarVariable>
</ModelVariables>
<ModelStructure><Derivatives><Unknown index="3"/><Unknown index="4"/></Derivatives></ModelStructure>
</fmiModelDescription>`;

const FLAGS_3 = 'canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="true" canSerializeFMUState="true"';

export const DESCRIPTION_3 = `<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Ball" instantiationToken="{ball}" description="a ball">
<ModelExchange modelIdentifier="ball" canGetAndSetFMUState="true" canSerializeFMUState="true"/>
<CoSimulation modelIdentifier="ball" hasEventMode="true" ${FLAGS_3}/>
<ScheduledExecution modelIdentifier="ball" canGetAndSetFMUState="true" canSerializeFMUState="true"/>
${UNITS}
<TypeDefinitions><EnumerationType name="Gear"><Item name="first" value="1"/><Item name="second" value="2"/></EnumerationType></TypeDefinitions>
<DefaultExperiment stepSize="0.1"/>
<ModelVariables>
<Float64 name="h" valueReference="0" causality="output" initial="exact" start="1" unit="m"><Alias name="height"/></Float64>
<Float64 name="v" valueReference="1" causality="output" initial="exact" start="0" unit="m/s"/>
<Float64 name="der(h)" valueReference="6" derivative="0" unit="m/s"/>
<Float64 name="der(v)" valueReference="7" derivative="1" unit="m/s2"/>
<Float64 name="g" valueReference="2" causality="parameter" variability="fixed" start="-9.81" unit="m/s2"/>
<Float64 name="e" valueReference="3" causality="parameter" variability="tunable" start="0.7"/>
<Float64 name="u" valueReference="4" causality="input" start="0" unit="cm"/>
<Float64 name="y" valueReference="5" causality="output" unit="m"/>
<Float64 name="list" valueReference="10" causality="input" start="1 2 3" unit="m"><Dimension start="3"/></Float64>
<Float32 name="single" valueReference="15" causality="input" start="0.5"/>
<Int8 name="i8" valueReference="50" causality="input" start="101"/>
<UInt8 name="u8" valueReference="51" causality="input" start="101"/>
<Int16 name="i16" valueReference="52" causality="input" start="101"/>
<UInt16 name="u16" valueReference="53" causality="input" start="101"/>
<UInt32 name="u32" valueReference="54" causality="input" start="101"/>
<UInt64 name="u64" valueReference="55" causality="input" start="101"/>
<Int32 name="bounces" valueReference="20" causality="output"/>
<Int32 name="mode" valueReference="21" causality="parameter" variability="tunable" start="0"/>
<Int32 name="ticks" valueReference="22" causality="output"/>
<Enumeration name="gear" valueReference="30" causality="input" declaredType="Gear" start="1"/>
<Int64 name="big" valueReference="31" causality="input" start="9007199254740993"/>
<Boolean name="on" valueReference="40" causality="input" start="false"/>
<Boolean name="off" valueReference="41" causality="output"/>
<String name="label" valueReference="60" causality="parameter" variability="fixed"><Start value="plant"/></String>
<Binary name="blob" valueReference="61" causality="output"/>
<Clock name="tick" valueReference="62" causality="output" intervalVariability="triggered"/>
<Clock name="even" valueReference="70" causality="input" intervalVariability="constant" intervalDecimal="0.1" priority="2"/>
<Clock name="shifted" valueReference="71" causality="input" intervalVariability="fixed" intervalCounter="25" shiftCounter="5" resolution="100" priority="1"/>
<Clock name="later" valueReference="72" causality="input" intervalVariability="countdown"/>
<Clock name="slower" valueReference="73" causality="input" intervalVariability="changing" priority="3"/>
<Clock name="button" valueReference="74" causality="input" intervalVariability="triggered"/>
<Float64 name="ticked" valueReference="80" causality="output"/>
<Float64 name="last_tick" valueReference="81" causality="output"/>
<Float64 name="asked" valueReference="82"/>
<Float64 name="nominal" valueReference="16" causality="parameter" variability="fixed" start="1"/>
<UInt64 name="columns" valueReference="75" causality="structuralParameter" start="3"/>
<Float64 name="matrix" valueReference="17" causality="input" start="1 2 3 4 5 6"><Dimension start="2"/><Dimension valueReference="75"/></Float64>
<Float64 name="corner" valueReference="83" causality="output"/>
</ModelVariables>
<ModelStructure><ContinuousStateDerivative valueReference="6"/><ContinuousStateDerivative valueReference="7"/><EventIndicator valueReference="0"/></ModelStructure>
</fmiModelDescription>`;
