"""Evidence of Spanish; `weights.py` says what each group is for, `phrases.py` how a phrase is written."""

LEADS = """ok vale sí si y pero pues bueno entonces también ah oh eh mira oye ojo a ver gracias espera otra venga claro perdona porfa
    además por cierto en fin hombre uy"""

GROUPS = {
    "memo": """
        recuerda | recuérdalo | acuérdate | ten en cuenta | tenlo en cuenta | tenlo presente | ten presente | apunta | apúntate |
        apúntalo | anota | anótalo | anótate | toma nota | nota : | no olvides | no te olvides | no lo olvides | guarda que |
        guarda esto : | guárdate | guárdalo para | guarda .. para | que quede | queda anotado | queda registrado | registra que |
        deja constancia | para que lo sepas | para que sepas | que sepas | para la próxima | para más adelante | para el futuro |
        para futuras | por si acaso | por si | memoriza | en tus notas | en tu memoria | en tu lista | conviene saber |
        es bueno saber | ^importante | ^aviso | ^info | lo vas a necesitar | te hará falta | te servirá |
        por si alguien pregunta | quédate con | te cuento que | te informo | para tu información | no pierdas""",
    "lasting": """
        siempre | nunca | jamás | cada | cada vez | todo | toda | todos | todas | todos los | todas las | en todo | por defecto |
        en general | por lo general | por norma | a partir de ahora | de ahora en adelante | desde ahora | desde hoy |
        a partir de hoy | a partir de | en adelante | en lo sucesivo | sin excepción | pase lo que pase | da igual |
        permanentemente | para siempre | de una vez por todas | desde siempre | desde el principio | hasta nuevo aviso |
        como máximo | como mínimo | máximo | mínimo | solo | sólo | solamente | únicamente | exclusivamente | salvo | excepto |
        a menos que | ningún | ninguna | nada de | cualquier | sin falta | normalmente | sistemáticamente | en cuanto | mientras""",
    "calendar": """
        los lunes | los martes | los miércoles | los jueves | los viernes | los sábados | los domingos | todas las noches |
        todos los días | todas las semanas | todos los meses | cada semana | cada mes | cada año | cada noche | cada día |
        a diario | por la noche | por las mañanas | por las noches | por las tardes | los fines de semana | a fin de mes |
        semanal | mensual | diario | trimestral | en agosto | en verano | en invierno | al mes | al año | una vez al |
        dos veces al | todo agosto""",
    "must": """
        nunca antes | no antes de | no después de | solo por | solo con | sin que | sí o sí | van con | va con | siempre con |
        debe | deben | hay que | no hay que | tiene que | tienen que | debería | deberían | prohibido | prohibida | prohibidos |
        obligatorio | obligatoria | permitido | no se puede | no se pueden | no se toca | no se tocan | va en | van en |
        va antes | se pone | se ponen | se guarda | se guardan | se entrega | se entregan | se queda | antes de | sin preguntar |
        sin avisar | sin mi permiso | pregúntame | consúltame | avísame antes | ni se te ocurra | no toques | basta | bastan |
        es suficiente | queda prohibido | reservado | exijo | espero que | pasa por | pasan por""",
    "objects": """
        respuestas | respuesta | mensajes | commits | pruebas | tests | ramas | nombres | variables | funciones | correos |
        emails | mails | cartas | informes | tablas | listas | títulos | fechas | precios | unidades | ejemplos | scripts |
        tickets | párrafos | frases | emojis | emoticonos | enlaces | fuentes | recetas | comentarios | números | código |
        diapositivas | borradores | facturas | textos | traducciones | jerga | tecnicismos | abreviaturas | cumplidos |
        disculpas | explicaciones | resúmenes | descripciones | sugerencias | preguntas | viñetas | comillas | contraseñas |
        reuniones | citas | vuelos | hoteles | restaurantes | gráficos | kilómetros | gramos | español | inglés | anglicismos |
        rodeos | introducciones | introducción | opciones | casos | escalas | usted | mayúsculas""",
    "with you": """
        cuando me | cuando busques | cuando escribas | cuando te | si te | si me | cuando haya | cuando hagas | antes de que |
        para mí | conmigo | a mí | me des | me escribas | me respondas | me pongas | me hables | me hagas | háblame |
        dame siempre | explícame todo | tus respuestas | tus textos | tus resúmenes | tus explicaciones | tus mensajes |
        cada vez que""",
    "own": """
        nosotros | nuestro | nuestra | nuestros | nuestras | nos | el equipo | en la oficina | en casa | aquí | acá |
        en el proyecto | en este repo | la empresa | en el cole | usamos | tenemos | hacemos | trabajamos | somos | estamos |
        vivimos | cerramos | abrimos""",
    "mine": """mi | mis | soy | tengo | vivo | trabajo | hablo | me llamo | yo""",
    "me": """
        vivo en | trabajo en | trabajo de | trabajo como | soy celíaco | soy celíaca | soy vegano | soy alérgico | soy alérgica |
        doy clase | doy clases | estudio | hablo | me llamo | nací | conduzco | dirijo | como de todo | no como | duermo |
        llevo gafas | tengo dos | tengo tres | tengo un | tengo una | estoy divorciado | estoy jubilado | soy zurdo | soy zurda |
        padezco | soy profesor | soy profesora | soy enfermera | curro en | somos un | somos una | llevo un | llevo una |
        me jubilé | me mudé""",
    "for me": """para mí | a mí | conmigo""",
    "people": """
        mujer | marido | esposa | esposo | hijo | hija | hijos | madre | padre | mamá | papá | hermana | hermano | jefe | jefa |
        pareja | niño | niña | niños | gemelos | bebé | sobrino | sobrina | tía | tío | abuela | abuelo | suegra | suegro |
        socio | socia | colega | vecino | vecina | casero | casera | contable | gestor | dentista | médico | doctora | doctor |
        dr | dra | veterinario | gato | perro | perra | caballo | cumpleaños | alérgico | alérgica | alergia | alergias |
        intolerante | diabético | diabética | celíaco | celíaca | vegano | vegana | vegetariano | vegetariana | sordo | sorda |
        ciego | embarazada | lactosa | gluten | frutos secos | se llama | apodo | señora | señor | sra | sr""",
    "systems": """
        servidor | servidores | base de datos | producción | preproducción | entorno | repo | repositorio | clúster | api | cron |
        tarea | pipeline | build | rama | puerto | host | vpn | proxy | cortafuegos | certificado | token | clave | contraseña |
        wifi | router | impresora | escáner | copia | copias | backup | dominio | configuración | esquema | tabla | caché |
        librería | docker | postgres | mysql | framework | versión | licencia | proveedor | contrato | factura | oficina |
        almacén | puerta | código | portal | sala | alarma | garaje | caldera | contador | presupuesto | plazo | cuenta |
        servicio | cola | tienda | farmacia""",
    "states": """
        es | son | está | están | tiene | tienen | vive | corre | corren | se encuentra | cuesta | cuestan | abre | cierra |
        empieza | termina | caduca | vence | significa | necesita | necesitan | pertenece | acepta | aceptan | admite | soporta |
        maneja | se encarga | se llama | se llaman | trabaja | habla | usa | usan | usamos | come | bebe | duerme | prefiere |
        odia | espera | reinicia | depende | viene | vienen | pasa | sale | llega | cambia | puede | pueden | lleva | contiene |
        tarda | firma | dirige | recibe | quiere | comparte | responde | no tiene | no hay | hay | va | van | queda | sirve | dice""",
    "contrast": """
        y no | , no | no .. sino | sino | en vez de | en lugar de | ya no | antes | ahora | antiguamente | en realidad |
        de hecho | al revés | al contrario | renombrado | mudado | reemplazado | sustituido | eliminado | antiguo | antigua |
        viejo | vieja | no es | no son | no está | no tiene | no era | era | el otro | la otra | pero | desde | no el | no la |
        no los | no las | no un | no en | no a | el bueno""",
    "denies": """
        es el .. viejo | es la .. vieja | es el .. antiguo | es la .. antigua | pusiste | escribiste | cambiaste las |
        mira otra vez | nadie ha | te has colado | ojo que | ^ojo , | te equivocaste de | yo hablo de | yo digo | que es en |
        ^no | ^falso | ^error | ^qué va | ^para nada | ^no exactamente | ^no del todo | ^ojo | ^casi | ^en realidad |
        ^corrección | te equivocas | equivocaste | equivocado | equivocada | te confundes | confundes | confundiste | mezclas |
        has mezclado | te has liado | es falso | incorrecto | incorrecta | erróneo | desactualizado | anticuado | obsoleto |
        no es así | no es correcto | no es cierto | está mal | están mal | mal | de dónde sacas | quién te ha dicho |
        quién te dijo | no existe | nunca he dicho | nunca dije | no es lo que | al revés | lo contrario | malentend* | ^que no |
        te has saltado | tampoco""",
    "you did": """
        has puesto | pusiste | has escrito | escribiste | dijiste | has dicho | has usado | usaste | has contado | contaste |
        has cambiado | cambiaste | has borrado | borraste | te has | has | estás usando | sigues | olvidaste | has olvidado |
        crees que | tu lista | tu versión | tu resumen | tu texto | tu borrador | tu respuesta | tu fecha | como tú | me pones |
        me das | pones | usas | llamas | cuentas""",
    "lesson": """
        la última vez | el año pasado | el mes pasado | aprendí | aprendimos | lección | resulta que | resultó que | nos costó |
        me costó | perdimos | salió mal | si no | de lo contrario | por eso | así que | de ahí que | cuidado | trampa |
        nos lo devolvieron | ya dos veces | siempre nos | para que no""",
    "settles": """
        no abrimos | cerramos los | apagamos | nos mudamos | dejo el | dejo la | vendo | compro | acepto el | acepté | rechacé |
        rechazamos | me quedo | contratamos | hemos contratado | contratado | firmamos | arrancamos | empezamos en | se cierra |
        se vende | se queda | queda descartado | adelante con | ya está hablado | decisión tomada | decidido | decidimos |
        hemos decidido | decidí | he decidido | decisión | elegido | elegimos | acordado | acordamos | quedamos en |
        hemos quedado | acuerdo | votado | votó | optado | optamos | nos quedamos con | me quedo con | nos vamos con | vamos con |
        pasamos a | abandonamos | dejamos de | dejamos | nos pasamos | seguimos con | cambiamos a | vendemos | compramos |
        al final | finalmente | está decidido | zanjado | cerrado | firmado | hemos firmado | he reservado | hemos reservado |
        cancelado | cancelada | pospuesto | será | definitivo | definitivamente | luz verde | aprobado | aprobada |
        por unanimidad | descartado | descartada | descartamos | ya no vamos | vamos a | me voy a | apostamos por | ganó | gana |
        y punto | se acabó | hablamos mi | lo hablamos | ya lo hablamos | trato hecho | aprobó | aprobaron | dijo que sí |
        dijo que no | no compramos | señal pagada | está pagada la | está encargado | ya está reservado""",
    "tastes": """
        me lío | te enrolles | sin rodeos | sin florituras | listas eternas | me pierdo | háblame de usted | de usted | y punto |
        al grano | me agobia | me agobian | ni se te ocurra | pesado | prefiero | preferiría | me gusta | me gustan | me encanta |
        me encantan | no me gusta | no me gustan | odio | detesto | no soporto | no aguanto | me molesta | me molestan |
        me cansa | me cansan | me aburre | me aburren | me pone | me ponen | demasiado largo | demasiado larga |
        demasiado largas | demasiado formal | demasiado | demasiadas | demasiados | más corto | más corta | más cortas | corto |
        corta | cortas | breve | breves | conciso | concisa | concisas | sencillo | simple | claro | directo | directa | sin |
        menos | nada de | evita | deja de | para de | tutéame | trátame | háblame | llámame | más bien | mejor | mejor que |
        me basta | me bastan | me sirve | quiero | no quiero | no como | no bebo | no tomo | ahórrate | no hace falta |
        no necesito | no me | soy de | soy más de | mi estilo | favorito | favorita | por favor sin | que si no""",
    "order": """
        ^usa | ^usad | ^pon | ^escribe | ^responde | ^contesta | ^da | ^dame | ^muestra | ^muéstrame | ^pregunta | ^pregúntame |
        ^di | ^haz | ^añade | ^deja | ^evita | ^empieza | ^termina | ^mantén | ^no | ^nada | ^nunca | ^siempre | ^tutéame |
        ^para | ^cita | ^redondea | ^habla | ^háblame | ^llama | ^llámame | ^nombra | ^firma | ^reserva | ^avisa | ^ejecuta |
        ^sin | ^solo | ^sólo | ^ni | ^olvida | ^trátame""",
    "task": """
        ^traduce | ^resume | ^resúmeme | ^corrige | ^reformula | ^redacta | ^escríbeme | ^escribe un | ^escribe una | ^explica |
        ^explícame | ^dame | ^muéstrame | ^dime | ^busca | ^búscame | ^encuentra | ^hazme | ^haz un | ^haz una | ^crea |
        ^calcula | ^compara | ^ayúdame | ^mira | ^revisa | ^lee | ^acorta | ^propón | ^recomiéndame | ^planifica | ^borra |
        ^renombra | ^cambia | ^añade | ^construye | ^prueba | ^ejecuta | ^pon | ^ponme | ^enciende | ^apaga | ^puedes | ^podrías |
        ^me puedes | ^me podrías | ^qué | ^cuál | ^cuáles | ^cómo | ^por qué | ^quién | ^cuándo | ^dónde | ^cuánto | ^cuántos |
        ^necesito | ^quisiera | ^me gustaría que | ^imagina | ^lista | ^genera | ^prepara | ^manda | ^envía | ^ordena | ^arregla""",
    "the one": """
        este archivo | el archivo | esta función | la función | este párrafo | el párrafo | este texto | el texto | este correo |
        el correo | esta carta | la carta | este script | el script | este código | este test | este error | el error |
        esta lista | esta tabla | abajo | arriba | siguiente | esta página | el log | esta rama | esta frase | la frase |
        la línea | línea | capítulo | adjunto | el hilo""",
    "now": """
        hoy | esta noche | mañana mismo | ahora mismo | esta vez | por esta vez | solo para este | solo por | por hoy |
        por ahora | de momento | por el momento | ayer | esta mañana | luego | más tarde | todavía no | aún no | primero |
        la semana que viene | el lunes que viene | esta semana | en una hora | excepcionalmente | una sola vez | solo aquí""",
    "trouble": """
        hay algo mal | algo está mal | algo va mal |
        error | errores | falla | fallan | roto | rota | bug | colgado | colgada | se cuelga | no funciona | no funcionan | no va |
        no arranca | no carga | no aparece | lento | lenta | caído | se ha caído | se cayó | parpadea | raro | rara | ni idea |
        de repente | advertencia | se rompe | da error | peta | otra vez se | warn""",
    "doubt": """
        quizá | quizás | tal vez | a lo mejor | podría | podríamos | deberíamos | sería | y si | si nos | si fuera | supongamos |
        supón | imagina | imagínate | dudo | dudamos | no sé | no sabemos | no estoy seguro | no estoy segura |
        aún no he decidido | todavía no he decidido | me pregunto | algún día | probablemente | seguramente | creo que |
        pienso que | espero | ya veremos | hubiera | hubiese | habría | estoy pensando | estamos pensando""",
    "said": """
        dice | dijo | decía | escribe | escribió | afirma | asegura | pregunta | cuenta | según | cita | reseña | cliente |
        clienta | alumno | alumna | crítica | parece ser que | al parecer | ella | él | el artículo | opina""",
    "thanks": """
        gracias | amable | paciente | me salvas | me ayudas | fallas | decepcionas | genial | perfecto | buenas | buenos días |
        hola | adiós | hasta luego | qué tal | jaja | jajaja | jejeje | crack | bravo | estupendo | guay | cansado | cansada |
        calor | frío | llueve | finde | contento | contenta | buenísimo | me alegro""",
    "story": """
        acabo de | estaba | intenté | he intentado | he visto | vi | fui | estoy en | estoy intentando | tuve | tengo que | busco |
        estoy buscando | estábamos | tuvimos | yo tenía | me ha""",
    "intent": """
        quiero | quisiera | voy a | vamos a | tengo que | necesito | necesitamos | deberíamos | sigue | adelante | empieza por |
        vamos a probar""",
    "chat": """
        bonito | bonita | precioso | preciosa | maravilloso | estupendo | qué bien | buena idea | buena suerte | suena |
        orgulloso | orgullosa | divertido | emocionante | mucho mejor | me alegro | ilusión""",
    "points": """esto | eso | este | esta | estos | estas | ese | esa | así | lo | la""",
    "fiction": """
        película | libro | novela | canción | juego | poema | cuento | personaje | chiste | adivinanza | escena | quiz | historia""",
}
